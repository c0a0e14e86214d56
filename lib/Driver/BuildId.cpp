// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of this build of the compiler: the linker's build id of the library that holds this
// code, so that every change of the compiler makes old cache entries unreachable.

#include "metile/compile.h"

#include <cstring>
#include <filesystem>

#include <dlfcn.h>
#if defined(__linux__)
#include <elf.h>
#include <link.h>
#endif

namespace metile {

static std::string hexOf(const unsigned char *bytes, size_t count) {
  static constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += hex[bytes[i] >> 4];
    text += hex[bytes[i] & 15];
  }
  return text;
}

#if defined(__linux__)
/// The build-id note of the loaded object that contains the address `data`, in hex; else empty.
static std::string noteOf(const void *address) {
  struct Search {
    uintptr_t address;
    std::string id;
  } search{reinterpret_cast<uintptr_t>(address), {}};
  auto visit = [](dl_phdr_info *info, size_t, void *data) -> int {
    auto &search = *static_cast<Search *>(data);
    bool contains = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr) &header = info->dlpi_phdr[i];
      uintptr_t start = info->dlpi_addr + header.p_vaddr;
      contains |= header.p_type == PT_LOAD && search.address >= start &&
                  search.address < start + header.p_memsz;
    }
    if (!contains)
      return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr) &header = info->dlpi_phdr[i];
      if (header.p_type != PT_NOTE)
        continue;
      auto *bytes = reinterpret_cast<const unsigned char *>(info->dlpi_addr + header.p_vaddr);
      for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= header.p_memsz;) {
        ElfW(Nhdr) note;
        std::memcpy(&note, bytes + at, sizeof note);
        size_t name = at + sizeof note;
        size_t content = name + ((note.n_namesz + 3) & ~size_t(3));
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            std::memcmp(bytes + name, "GNU", 4) == 0) {
          search.id = hexOf(bytes + content, note.n_descsz);
          return 1;
        }
        at = content + ((note.n_descsz + 3) & ~size_t(3));
      }
    }
    return 1;
  };
  dl_iterate_phdr(visit, &search);
  return search.id;
}
#endif

std::string compilerBuildId() {
  static const std::string id = [] {
    auto *self = reinterpret_cast<const void *>(&compilerBuildId);
#if defined(__linux__)
    if (std::string note = noteOf(self); !note.empty())
      return note;
#endif
    // Without a note, size and time of the library's file stand for its contents.
    Dl_info info;
    std::error_code failed;
    if (!dladdr(self, &info) || !info.dli_fname)
      return std::string("unknown");
    std::filesystem::path file(info.dli_fname);
    auto size = std::filesystem::file_size(file, failed);
    auto time = std::filesystem::last_write_time(file, failed).time_since_epoch().count();
    return std::to_string(size) + "-" + std::to_string(time);
  }();
  return id;
}

} // namespace metile
