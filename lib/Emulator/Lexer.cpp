// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Lexer.h"

#include <charconv>
#include <map>

namespace metile::emulator {
namespace {

bool startsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool continuesName(char c) { return startsName(c) || isDigit(c); }
bool isSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class Splitter {
public:
  explicit Splitter(std::string_view text) : text(text) {}

  TokenList run() {
    // The place before the first line marker.
    fileIndex("<unknown>");
    for (;;) {
      size_t start = at;
      skipSpace();
      Token token;
      token.before = text.substr(start, at - start);
      token.place = {file, line, static_cast<uint32_t>(at - lineStart + 1)};
      if (at >= text.size()) {
        list.tokens.push_back(token);
        return std::move(list);
      }
      size_t first = at;
      token.kind = scan();
      token.text = text.substr(first, at - first);
      list.tokens.push_back(token);
    }
  }

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  void newLine() {
    ++line;
    lineStart = at;
  }

  /// White space, line markers and pragmas.
  void skipSpace() {
    while (at < text.size()) {
      if (text[at] == '\n') {
        ++at;
        newLine();
      } else if (isSpace(text[at])) {
        ++at;
      } else if (text[at] == '#' && at == firstInLine()) {
        directive();
      } else {
        return;
      }
    }
  }

  size_t firstInLine() const {
    size_t first = lineStart;
    while (first < text.size() && isSpace(text[first]))
      ++first;
    return first;
  }

  /// `# 12 "file.h" 1` says where the next line stood; anything else is passed over.
  void directive() {
    size_t end = text.find('\n', at);
    std::string_view words = text.substr(at + 1, end == text.npos ? text.npos : end - at - 1);
    at = end == text.npos ? text.size() : end + 1;
    newLine();
    size_t digits = words.find_first_not_of(" \t");
    size_t open = words.find('"'), close = words.rfind('"');
    uint32_t number = 0;
    if (digits == words.npos || !isDigit(words[digits]) || open == words.npos || close == open)
      return;
    std::from_chars(words.data() + digits, words.data() + words.size(), number);
    line = number;
    file = fileIndex(std::string(words.substr(open + 1, close - open - 1)));
  }

  uint32_t fileIndex(const std::string &name) {
    auto [found, isNew] = indices.try_emplace(name, static_cast<uint32_t>(list.files.size()));
    if (isNew)
      list.files.push_back(name);
    return found->second;
  }

  Token::Kind scan() {
    char c = text[at];
    if (startsName(c)) {
      while (continuesName(peek()))
        ++at;
      return Token::Kind::identifier;
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      // A sign belongs to the number only after an exponent's letter.
      bool hex = c == '0' && (peek(1) == 'x' || peek(1) == 'X');
      while (continuesName(peek()) || peek() == '.' || peek() == '\'' ||
             ((peek() == '+' || peek() == '-') && isExponent(text[at - 1], hex)))
        ++at;
      return Token::Kind::number;
    }
    if (c == '"' || c == '\'') {
      ++at;
      while (at < text.size() && text[at] != c && text[at] != '\n')
        at += text[at] == '\\' ? 2 : 1;
      at = std::min(at + 1, text.size());
      return Token::Kind::text;
    }
    // Brackets stay single: [[ and >> are what their neighbours make of them.
    static constexpr std::string_view pairs[] = {"::", "->", "++", "--", "&&", "||",
                                                 "==", "!=", "<=", "+=", "-=", "*=",
                                                 "/=", "%=", "&=", "|=", "^=", "<<"};
    for (std::string_view pair : pairs)
      if (text.substr(at, 2) == pair) {
        at += 2;
        return Token::Kind::punctuation;
      }
    ++at;
    return Token::Kind::punctuation;
  }

  static bool isExponent(char c, bool hex) {
    return hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
  }

  std::string_view text;
  size_t at = 0;
  size_t lineStart = 0;
  uint32_t line = 1;
  uint32_t file = 0;
  TokenList list;
  std::map<std::string, uint32_t> indices;
};

/// The lines of the user's files, read when first asked for.
class SourceLines {
public:
  using Reader = std::function<std::optional<std::string>(const std::string &)>;
  explicit SourceLines(const Reader &read) : read(read) {}

  std::string_view line(const std::string &file, uint32_t number) {
    auto [found, isNew] = files.try_emplace(file);
    File &entry = found->second;
    if (isNew) {
      if (std::optional<std::string> text = read(file))
        entry.text = std::move(*text);
      entry.starts = {0};
      for (size_t i = 0; i < entry.text.size(); ++i)
        if (entry.text[i] == '\n')
          entry.starts.push_back(i + 1);
    }
    if (number == 0 || number > entry.starts.size())
      return {};
    size_t start = entry.starts[number - 1];
    size_t end = entry.text.find('\n', start);
    return std::string_view(entry.text).substr(start, end == std::string::npos ? end : end - start);
  }

private:
  struct File {
    std::string text;
    std::vector<size_t> starts;
  };
  const Reader &read;
  std::map<std::string, File> files;
};

/// The first place at or after `from` where `word` stands by itself in `line`.
size_t findWord(std::string_view line, std::string_view word, size_t from) {
  for (size_t found = line.find(word, from); found != line.npos;
       found = line.find(word, found + 1)) {
    bool name = continuesName(word.front());
    bool before = found > 0 && continuesName(line[found - 1]);
    bool after = found + word.size() < line.size() && continuesName(line[found + word.size()]);
    if (!name || (!before && !after))
      return found;
  }
  return line.npos;
}

void restoreColumns(TokenList &list, SourceLines &lines) {
  std::string_view line;
  Place current;
  size_t cursor = 0, last = 0;
  for (Token &token : list.tokens) {
    if (token.kind == Token::Kind::end)
      return;
    if (token.place.file != current.file || token.place.line != current.line) {
      current = token.place;
      line = lines.line(list.files[current.file], current.line);
      cursor = 0;
      last = std::min(line.find_first_not_of(" \t"), line.size());
    }
    size_t found = findWord(line, token.text, cursor);
    if (found != line.npos) {
      last = found;
      cursor = found + token.text.size();
    }
    token.place.column = static_cast<uint32_t>(last + 1);
  }
}

} // namespace

TokenList lex(std::string_view text, const SourceLines::Reader &readFile) {
  TokenList list = Splitter(text).run();
  SourceLines lines(readFile);
  restoreColumns(list, lines);
  return list;
}

} // namespace metile::emulator
