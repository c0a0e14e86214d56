// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lexer: preprocessed Metal Shading Language text as tokens that know where they stood in the
// user's files. Knows no grammar.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metile::emulator {

/// A position in one of the user's files; lines and columns count from 1.
struct Place {
  uint32_t file = 0; ///< Index into TokenList::files.
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const Place &) const = default;
};

struct Token {
  enum class Kind : uint8_t { identifier, number, text, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::string_view before; ///< White space in front.
  Place place;

  bool is(std::string_view wanted) const { return text == wanted; }
  bool isIdentifier() const { return kind == Kind::identifier; }
};

struct TokenList {
  std::vector<Token> tokens; ///< Ends with one of Kind::end.
  std::vector<std::string> files;
};

/// Splits `text`, the output of `clang -E`, which must outlive the tokens. Pragmas are left out.
/// The preprocessor moves tokens within a line; `readFile` gives a file's text so that each token
/// gets the column it had there. A token out of a macro gets the column of the macro's use.
TokenList lex(std::string_view text,
              const std::function<std::optional<std::string>(const std::string &)> &readFile);

} // namespace metile::emulator
