// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang's instrumentation calls before each access to memory. The names are those of clang's
// address sanitizer for kernels, with a prefix of ours, and its bounds check.
#pragma once

#include "Copies.h"

namespace metile::emulator {

/// Whether the address lies in the memory of the launch; private memory and constants do not.
METILE_SHIM bool isShared(const Group &group, ulong address) {
  return address - group.first < group.bytes;
}

} // namespace metile::emulator

#define METILE_ACCESS(size)                                                                        \
  METILE_CALLBACK void metile_emu_load##size##_noabort(ulong address) {                            \
    using namespace ::metile::emulator;                                                            \
    Group &group = currentGroup();                                                                 \
    if (isShared(group, address))                                                                  \
      group.services->load(&group, address, size, size < 8 ? size : 8,                             \
                           reinterpret_cast<ulong>(__builtin_return_address(0)));                  \
  }                                                                                                \
  METILE_CALLBACK void metile_emu_store##size##_noabort(ulong address) {                           \
    using namespace ::metile::emulator;                                                            \
    Group &group = currentGroup();                                                                 \
    if (isShared(group, address))                                                                  \
      group.services->store(&group, address, size, size < 8 ? size : 8,                            \
                            reinterpret_cast<ulong>(__builtin_return_address(0)));                 \
  }
METILE_ACCESS(1)
METILE_ACCESS(2)
METILE_ACCESS(4)
METILE_ACCESS(8)
METILE_ACCESS(16)
#undef METILE_ACCESS

METILE_CALLBACK void metile_emu_loadN_noabort(ulong address, ulong bytes) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  if (isShared(group, address))
    group.services->load(&group, address, bytes, 1,
                         reinterpret_cast<ulong>(__builtin_return_address(0)));
}
METILE_CALLBACK void metile_emu_storeN_noabort(ulong address, ulong bytes) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  if (isShared(group, address))
    group.services->store(&group, address, bytes, 1,
                          reinterpret_cast<ulong>(__builtin_return_address(0)));
}

/// An object of a vector's size that lies at no multiple of its lanes is found by its loads; a copy
/// has no alignment of its own.
METILE_COPY void *metile_emu_memcpy(void *to, const void *from, ulong bytes) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  auto site = reinterpret_cast<ulong>(__builtin_return_address(0));
  if (bytes && isShared(group, reinterpret_cast<ulong>(from)))
    group.services->load(&group, reinterpret_cast<ulong>(from), bytes, 1, site);
  if (bytes && isShared(group, reinterpret_cast<ulong>(to)))
    group.services->store(&group, reinterpret_cast<ulong>(to), bytes, 1, site);
  return copyUp(to, from, bytes);
}
METILE_COPY void *metile_emu_memmove(void *to, const void *from, ulong bytes) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  auto site = reinterpret_cast<ulong>(__builtin_return_address(0));
  if (bytes && isShared(group, reinterpret_cast<ulong>(from)))
    group.services->load(&group, reinterpret_cast<ulong>(from), bytes, 1, site);
  if (bytes && isShared(group, reinterpret_cast<ulong>(to)))
    group.services->store(&group, reinterpret_cast<ulong>(to), bytes, 1, site);
  return copy(to, from, bytes);
}
METILE_COPY void *metile_emu_memset(void *to, int value, ulong bytes) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  if (bytes && isShared(group, reinterpret_cast<ulong>(to)))
    group.services->store(&group, reinterpret_cast<ulong>(to), bytes, 1,
                          reinterpret_cast<ulong>(__builtin_return_address(0)));
  return fill(to, value, bytes);
}
METILE_CALLBACK void __asan_handle_no_return() {}

namespace metile::emulator {

// As clang lays them out for its undefined-behaviour sanitizer.
struct CheckedType {
  unsigned short kind, info;
  char name[1];
};
struct CheckedIndex {
  const char *file;
  unsigned line, column;
  const CheckedType *array, *index;
};

} // namespace metile::emulator

METILE_CALLBACK void __ubsan_handle_out_of_bounds(::metile::emulator::CheckedIndex *check,
                                                  ulong index) {
  using namespace ::metile::emulator;
  Group &group = currentGroup();
  unsigned bits = 1u << (check->index->info >> 1);
  bool isSigned = check->index->info & 1;
  long value = static_cast<long>(index);
  if (isSigned && bits < 64)
    value = static_cast<long>(index << (64 - bits)) >> (64 - bits);
  group.services->outOfBounds(&group, check->array->name, value,
                              reinterpret_cast<ulong>(__builtin_return_address(0)));
}
