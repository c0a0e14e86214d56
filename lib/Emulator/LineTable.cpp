// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/LineTable.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <tuple>

namespace metile::emulator {
namespace {

/// Bytes that are read from the front; reading past the end gives zeros.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes(bytes) {}

  bool done() const { return bytes.empty(); }
  template <class T> T fixed() {
    T value{};
    if (bytes.size() < sizeof(T))
      bytes = {};
    else {
      std::memcpy(&value, bytes.data(), sizeof(T));
      bytes.remove_prefix(sizeof(T));
    }
    return value;
  }
  uint64_t unsignedLeb() {
    uint64_t value = 0;
    for (unsigned shift = 0; !done(); shift += 7) {
      auto byte = fixed<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 127) << shift;
      if (!(byte & 128))
        break;
    }
    return value;
  }
  int64_t signedLeb() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = fixed<uint8_t>();
      if (shift < 64)
        value |= uint64_t(byte & 127) << shift;
      shift += 7;
    } while (byte & 128 && !done());
    if (byte & 64 && shift < 64)
      value |= ~uint64_t(0) << shift;
    return static_cast<int64_t>(value);
  }
  std::string_view string() {
    size_t end = std::min(bytes.find('\0'), bytes.size());
    std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    return text;
  }
  std::string_view take(uint64_t count) {
    count = std::min<uint64_t>(count, bytes.size());
    std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }
  Reader sub(uint64_t count) { return Reader(take(count)); }

private:
  std::string_view bytes;
};

std::string_view sectionOf(std::string_view elf, std::string_view name) {
  Elf64_Ehdr header;
  if (elf.size() < sizeof(header))
    return {};
  std::memcpy(&header, elf.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(Elf64_Shdr))
    return {};
  auto section = [&](unsigned index) {
    Elf64_Shdr found{};
    uint64_t at = header.e_shoff + index * sizeof(found);
    if (at <= elf.size() && elf.size() - at >= sizeof(found))
      std::memcpy(&found, elf.data() + at, sizeof(found));
    return found;
  };
  auto contents = [&](const Elf64_Shdr &of) -> std::string_view {
    if (of.sh_offset > elf.size() || of.sh_size > elf.size() - of.sh_offset)
      return {};
    return elf.substr(of.sh_offset, of.sh_size);
  };
  std::string_view names = contents(section(header.e_shstrndx));
  auto nameOf = [&](const Elf64_Shdr &of) {
    return Reader(names.substr(std::min<size_t>(of.sh_name, names.size()))).string();
  };
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr candidate = section(i);
    if (!(candidate.sh_flags & SHF_COMPRESSED) && nameOf(candidate) == name)
      return contents(candidate);
  }
  return {};
}

} // namespace

/// One line number program: section 6.2 of the DWARF standard, version 4.
class LineProgram {
public:
  LineProgram(Reader unit, std::string_view sourceName, LineTable &table)
      : unit(unit), sourceName(sourceName), table(table) {}

  void run() {
    auto version = unit.fixed<uint16_t>();
    if (version < 2 || version > 4)
      return;
    auto headerBytes = unit.fixed<uint32_t>();
    Reader header = unit.sub(headerBytes);
    minimumBytes = header.fixed<uint8_t>();
    if (version >= 4)
      header.fixed<uint8_t>(); // Operations in one instruction: 1 outside VLIW.
    header.fixed<uint8_t>();   // Whether rows are statements by default.
    lineBase = header.fixed<int8_t>();
    lineRange = std::max<uint8_t>(header.fixed<uint8_t>(), 1);
    opcodeBase = header.fixed<uint8_t>();
    for (unsigned opcode = 1; opcode < opcodeBase; ++opcode)
      lengths[opcode] = header.fixed<uint8_t>();
    while (!header.done() && !header.string().empty()) {
    }
    isSource = {false};
    for (std::string_view name; !header.done() && !(name = header.string()).empty();) {
      header.unsignedLeb();
      header.unsignedLeb();
      header.unsignedLeb();
      isSource.push_back(name.ends_with(sourceName));
    }
    while (!unit.done())
      step();
  }

private:
  struct State {
    // Unsigned, as DWARF has them: a line may be stepped back and wraps in a damaged table.
    uint64_t address = 0, file = 1, line = 1, column = 0;
  };

  void emit(bool ends) {
    bool known = !ends && state.file < isSource.size() && isSource[state.file];
    LineTable::Position position;
    if (known)
      position = {static_cast<uint32_t>(state.line), static_cast<uint32_t>(state.column)};
    table.rows.push_back({state.address, table.rows.size(), position});
  }

  void step() {
    auto opcode = unit.fixed<uint8_t>();
    if (opcode >= opcodeBase) {
      unsigned adjusted = opcode - opcodeBase;
      state.address += uint64_t(adjusted / lineRange) * minimumBytes;
      state.line += static_cast<uint64_t>(lineBase + static_cast<int>(adjusted % lineRange));
      emit(false);
      return;
    }
    switch (opcode) {
    case 0:
      extended();
      break;
    case 1: // copy
      emit(false);
      break;
    case 2: // advance_pc
      state.address += unit.unsignedLeb() * minimumBytes;
      break;
    case 3: // advance_line
      state.line += static_cast<uint64_t>(unit.signedLeb());
      break;
    case 4: // set_file
      state.file = unit.unsignedLeb();
      break;
    case 5: // set_column
      state.column = unit.unsignedLeb();
      break;
    case 8: // const_add_pc
      state.address += uint64_t((255 - opcodeBase) / lineRange) * minimumBytes;
      break;
    case 9: // fixed_advance_pc
      state.address += unit.fixed<uint16_t>();
      break;
    default:
      for (unsigned i = 0; i < lengths[opcode]; ++i)
        unit.unsignedLeb();
    }
  }

  void extended() {
    Reader operands = unit.sub(unit.unsignedLeb());
    switch (operands.fixed<uint8_t>()) {
    case 1: // end_sequence
      emit(true);
      state = {};
      break;
    case 2: // set_address
      state.address = operands.fixed<uint64_t>();
      break;
    default:
      break;
    }
  }

  Reader unit;
  std::string_view sourceName;
  LineTable &table;
  unsigned minimumBytes = 1, lineRange = 1, opcodeBase = 1;
  int lineBase = 0;
  uint8_t lengths[256] = {};
  std::vector<bool> isSource;
  State state;
};

LineTable LineTable::parse(std::string_view elf, std::string_view sourceName) {
  LineTable table;
  Reader section(sectionOf(elf, ".debug_line"));
  while (!section.done()) {
    uint64_t bytes = section.fixed<uint32_t>();
    if (bytes == 0xffffffff)
      bytes = section.fixed<uint64_t>();
    LineProgram(section.sub(bytes), sourceName, table).run();
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const Row &a, const Row &b) {
    return std::tie(a.address, a.order) < std::tie(b.address, b.order);
  });
  return table;
}

std::optional<LineTable::Position> LineTable::find(uint64_t offset) const {
  auto after = std::upper_bound(rows.begin(), rows.end(), offset,
                                [](uint64_t at, const Row &row) { return at < row.address; });
  // Code of the shim carries no line of the user's; the last line before it does.
  while (after != rows.begin()) {
    --after;
    if (after->position.line)
      return after->position;
  }
  return std::nullopt;
}

} // namespace metile::emulator
