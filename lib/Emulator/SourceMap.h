// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SourceMap: from a position in the rewritten text back to the user's files. Knows nothing of what
// the text means.
#pragma once

#include "Emulator/Lexer.h"
#include "metile/result.h"

#include <optional>

namespace metile::emulator {

class SourceMap {
public:
  std::vector<std::string> files;

  /// Says that the text from `line`, `column` on came from `place`: character by character, or, if
  /// `whole`, all of it from that one place. Calls come in ascending order.
  void add(uint32_t line, uint32_t column, Place place, bool whole = false);
  /// Where the text at `line`, `column` came from; unknown if it was added by the rewriter in front
  /// of everything or behind it.
  Location find(uint32_t line, uint32_t column) const;

  /// The map as bytes, and back; nothing if they are damaged.
  std::string serialize() const;
  static std::optional<SourceMap> parse(std::string_view bytes);

private:
  struct Entry {
    uint32_t line, column;
    Place place;
    uint32_t whole;
  };
  std::vector<Entry> entries;
};

} // namespace metile::emulator
