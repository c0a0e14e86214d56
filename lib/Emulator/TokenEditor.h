// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TokenEditor: tokens under rewriting: which brackets match, what is taken out, replaced or put in
// front, and the text that results. Knows no Metal.
#pragma once

#include "Emulator/SourceMap.h"

#include <map>

namespace metile::emulator {

class TokenEditor {
public:
  static constexpr size_t none = static_cast<size_t>(-1);

  explicit TokenEditor(const TokenList &list);

  /// Tokens, without the one that marks the end.
  size_t size() const { return count; }
  const Token &operator[](size_t index) const { return list.tokens[index]; }
  bool is(size_t index, std::string_view text) const {
    return index < count && !removed[index] && list.tokens[index].text == text;
  }
  bool isIdentifier(size_t index) const {
    return index < count && !removed[index] && list.tokens[index].isIdentifier();
  }
  bool isRemoved(size_t index) const { return removed[index]; }
  bool isReplaced(size_t index) const { return replacements.count(index) != 0; }

  /// The bracket that matches the one at `index`; none if there is none.
  size_t match(size_t index) const { return index < count ? matches[index] : none; }
  /// The nearest token after or before `index` that was not removed; size() and none at the ends.
  /// After none, the partner that a bracket lacks, comes the end.
  size_t next(size_t index) const;
  size_t previous(size_t index) const;
  /// The '>' that closes the '<' at `open`, brackets in between skipped; none if there is none.
  size_t closeAngle(size_t open) const;
  /// The first `;` at or after `index` outside brackets that open after it; size() if there is
  /// none.
  size_t endOfStatement(size_t index) const;

  void remove(size_t index) { removed[index] = true; }
  void remove(size_t first, size_t end) {
    for (size_t i = first; i < end; ++i)
      removed[i] = true;
  }
  void replace(size_t index, std::string text) { replacements[index] = std::move(text); }
  /// Puts `text` in front of the token at `index`, which may itself be removed.
  void insertBefore(size_t index, const std::string &text) { insertions[index] += text; }

  /// The tokens [first, end) that were not removed, as rewritten, with single spaces.
  std::string text(size_t first, size_t end) const;
  /// The same whether removed or not, as the user wrote them.
  std::string sourceText(size_t first, size_t end) const;
  /// The user's place of the token at `index`.
  Location location(size_t index) const;

  /// Appends everything to `text`; `map` learns where from.
  void write(std::string &text, SourceMap &map) const;

private:
  const TokenList &list;
  size_t count;
  std::vector<size_t> matches;
  std::vector<bool> removed;
  std::map<size_t, std::string> replacements, insertions;
};

} // namespace metile::emulator
