// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LineTable: from an instruction of a shared library to the line and column of the text it was
// compiled from, by the library's DWARF 4 line program. Knows nothing of kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metile::emulator {

class LineTable {
public:
  /// Reads the table of the ELF file with these bytes, as far as it is about files whose name ends
  /// with `sourceName`. A file without a table gives an empty one.
  static LineTable parse(std::string_view elf, std::string_view sourceName);

  struct Position {
    uint32_t line = 0, column = 0;
  };
  /// The position of the instruction at `offset` from the library's base.
  std::optional<Position> find(uint64_t offset) const;

private:
  struct Row {
    uint64_t address;
    size_t order;      ///< Of two rows with one address the later holds.
    Position position; ///< line 0: no place in the text.
  };
  std::vector<Row> rows; ///< Sorted by address.

  friend class LineProgram;
};

} // namespace metile::emulator
