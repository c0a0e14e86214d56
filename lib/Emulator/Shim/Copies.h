// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of whole objects, which the compiler calls. They are done here and not by the C library,
// where nobody could tell that it was the kernel which gave it a wrong address.
#pragma once

#include "Base.h"

#define METILE_CALLBACK                                                                            \
  extern "C" __attribute__((visibility("hidden"), used, nodebug,                                   \
                            no_sanitize("kernel-address", "bounds"))) inline

namespace metile::emulator {
METILE_SHIM void *copyUp(void *to, const void *from, ulong bytes) {
  for (ulong i = 0; i < bytes; ++i)
    static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
  return to;
}
METILE_SHIM void *copy(void *to, const void *from, ulong bytes) {
  if (to <= from)
    return copyUp(to, from, bytes);
  for (ulong i = bytes; i-- > 0;)
    static_cast<char *>(to)[i] = static_cast<const char *>(from)[i];
  return to;
}
METILE_SHIM void *fill(void *to, int value, ulong bytes) {
  for (ulong i = 0; i < bytes; ++i)
    static_cast<char *>(to)[i] = static_cast<char>(value);
  return to;
}
} // namespace metile::emulator
#define METILE_COPY METILE_CALLBACK __attribute__((noinline, no_builtin))
METILE_COPY void *memcpy(void *to, const void *from, ulong bytes) {
  return ::metile::emulator::copyUp(to, from, bytes);
}
METILE_COPY void *memmove(void *to, const void *from, ulong bytes) {
  return ::metile::emulator::copy(to, from, bytes);
}
METILE_COPY void *memset(void *to, int value, ulong bytes) {
  return ::metile::emulator::fill(to, value, bytes);
}
