// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/TokenEditor.h"

#include <algorithm>

namespace metile::emulator {

TokenEditor::TokenEditor(const TokenList &list)
    : list(list), count(list.tokens.size() - 1), matches(count, none), removed(count, false) {
  std::vector<size_t> open;
  for (size_t i = 0; i < count; ++i) {
    if (list.tokens[i].kind != Token::Kind::punctuation)
      continue;
    std::string_view text = list.tokens[i].text;
    if (text == "(" || text == "[" || text == "{") {
      open.push_back(i);
    } else if (text == ")" || text == "]" || text == "}") {
      // Text that does not balance is clang's to explain.
      if (open.empty())
        continue;
      matches[open.back()] = i;
      matches[i] = open.back();
      open.pop_back();
    }
  }
}

size_t TokenEditor::next(size_t index) const {
  if (index >= count)
    return count;
  do
    ++index;
  while (index < count && removed[index]);
  return index;
}

size_t TokenEditor::previous(size_t index) const {
  while (index-- > 0)
    if (!removed[index])
      return index;
  return none;
}

size_t TokenEditor::closeAngle(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < count; ++i) {
    if (removed[i])
      continue;
    const Token &token = list.tokens[i];
    if (token.is("(") || token.is("[") || token.is("{")) {
      if (matches[i] == none)
        return none;
      i = matches[i];
    } else if (token.is("<")) {
      ++depth;
    } else if (token.is(">")) {
      if (--depth == 0)
        return i;
    } else if (token.is(";") || token.is(")") || token.is("}")) {
      return none;
    }
  }
  return none;
}

size_t TokenEditor::endOfStatement(size_t index) const {
  for (size_t i = index; i < count; ++i) {
    const Token &token = list.tokens[i];
    if (token.is(";"))
      return i;
    if ((token.is("(") || token.is("[") || token.is("{")) && matches[i] != none)
      i = matches[i];
  }
  return count;
}

std::string TokenEditor::text(size_t first, size_t end) const {
  std::string text;
  for (size_t i = first; i < end; ++i) {
    if (removed[i])
      continue;
    auto replaced = replacements.find(i);
    if (!text.empty())
      text += ' ';
    text +=
        replaced != replacements.end() ? std::string_view(replaced->second) : list.tokens[i].text;
  }
  return text;
}

std::string TokenEditor::sourceText(size_t first, size_t end) const {
  std::string text;
  for (size_t i = first; i < end; ++i) {
    if (i > first && !list.tokens[i].before.empty())
      text += ' ';
    text += list.tokens[i].text;
  }
  return text;
}

Location TokenEditor::location(size_t index) const {
  const Place &place = list.tokens[std::min(index, count)].place;
  return {list.files[place.file], place.line, place.column, {}};
}

void TokenEditor::write(std::string &text, SourceMap &map) const {
  map.files = list.files;
  uint32_t line = 1 + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  size_t lineStart = text.rfind('\n') + 1; // 0 if there is none
  auto append = [&](std::string_view part) {
    for (size_t end; (end = part.find('\n')) != part.npos; part.remove_prefix(end + 1)) {
      text += part.substr(0, end + 1);
      ++line;
      lineStart = text.size();
    }
    text += part;
  };
  auto mark = [&](size_t index, bool whole) {
    map.add(line, static_cast<uint32_t>(text.size() - lineStart + 1), list.tokens[index].place,
            whole);
  };
  auto insertion = insertions.begin();
  auto replacement = replacements.begin();
  for (size_t i = 0; i < count; ++i) {
    const Token &token = list.tokens[i];
    // Markers and pragmas stand among the white space; only its line ends matter.
    if (token.before.find('\n') != token.before.npos)
      append("\n");
    else if (!token.before.empty())
      append(" ");
    if (insertion != insertions.end() && insertion->first == i) {
      mark(i, true);
      append(insertion->second);
      append(" ");
      ++insertion;
    }
    bool isReplaced = replacement != replacements.end() && replacement->first == i;
    if (!removed[i]) {
      mark(i, isReplaced);
      append(isReplaced ? std::string_view(replacement->second) : token.text);
    } else if (token.before.empty()) {
      // What stood between two tokens may have been all that kept them apart.
      append(" ");
    }
    if (isReplaced)
      ++replacement;
  }
  append("\n");
  // What follows came from nowhere.
  map.add(line, 1, {}, true);
}

} // namespace metile::emulator
