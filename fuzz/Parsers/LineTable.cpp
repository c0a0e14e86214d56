// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line tables of ELF files: the bytes as a whole file, and as the table of a file around them.

#include "ParserTarget.h"

#include "Emulator/LineTable.h"

#include <string>

#include <elf.h>

namespace metile::fuzz {

/// An ELF file whose section .debug_line is `table`.
static std::string elfAround(std::string_view table) {
  static constexpr std::string_view names("\0.debug_line\0.shstrtab\0", 23);
  Elf64_Ehdr header = {};
  for (int i = 0; i < SELFMAG; ++i)
    header.e_ident[i] = static_cast<unsigned char>(ELFMAG[i]);
  header.e_shoff = sizeof header + table.size() + names.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = table.size();
  sections[2].sh_name = 13;
  sections[2].sh_offset = sizeof header + table.size();
  sections[2].sh_size = names.size();
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes.append(table).append(names);
  bytes.append(reinterpret_cast<const char *>(sections), sizeof sections);
  return bytes;
}

void feedLineTable(std::string_view input) {
  using emulator::LineTable;
  for (const std::string &elf : {std::string(input), elfAround(input)}) {
    LineTable table = LineTable::parse(elf, "rewritten.cpp");
    for (uint64_t offset : {uint64_t(0), uint64_t(0x1000), ~uint64_t(0)})
      if (std::optional<LineTable::Position> found = table.find(offset))
        require(found->line > 0, "a position that is known has a line");
  }
}

} // namespace metile::fuzz
