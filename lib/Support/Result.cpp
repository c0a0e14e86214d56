// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/result.h"

#include <cstdio>
#include <cstdlib>

namespace metile {

/// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none that people see.
static size_t visibleBytes(std::string_view text) {
  auto byte = [&](size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
  };
  unsigned first = byte(0);
  if (first < 0x80)
    return (first >= ' ' && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  for (size_t at = 1; at < bytes; ++at)
    if ((byte(at) & 0xc0) != 0x80)
      return 0;
  bool isControl = first == 0xc2 && byte(1) < 0xa0;
  return isControl ? 0 : bytes;
}

/// What stands in messages may come from a file that is not text: bytes that would do something to
/// a terminal are spelled out, as \x1b.
static std::string visible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    size_t bytes = visibleBytes(text);
    if (bytes) {
      result += text.substr(0, bytes);
    } else {
      constexpr std::string_view digits = "0123456789abcdef";
      auto byte = static_cast<unsigned char>(text[0]);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      bytes = 1;
    }
    text.remove_prefix(bytes);
  }
  return result;
}

std::string Location::str() const {
  std::string text = visible(file);
  if (line) {
    if (!text.empty())
      text += ':';
    text += std::to_string(line);
    if (column)
      text += ':' + std::to_string(column);
  }
  return text;
}

std::string Diagnostic::text() const {
  std::string result = found;
  for (const std::string *part : {&allowed, &change})
    if (!part->empty())
      result += (result.empty() ? "" : "; ") + *part;
  return visible(result);
}

std::string Diagnostic::str() const {
  std::string place = location.str();
  std::string result = (place.empty() ? "" : place + ": ") + "error: " + text();
  for (const Location &caller : location.calledFrom)
    result += '\n' + caller.str() + ": note: called from here";
  return result;
}

std::string Errors::str() const {
  constexpr size_t shown = 20;
  std::string result;
  for (size_t i = 0; i < diagnostics.size() && i < shown; ++i)
    result += (i ? "\n" : "") + diagnostics[i].str();
  if (diagnostics.size() > shown)
    result += "\n... and " + std::to_string(diagnostics.size() - shown) + " more";
  return result;
}

Errors error(std::string found, std::string allowed, std::string change) {
  return error(Location{}, std::move(found), std::move(allowed), std::move(change));
}

Errors error(Location location, std::string found, std::string allowed, std::string change) {
  return Errors(
      Diagnostic{std::move(location), std::move(found), std::move(allowed), std::move(change)});
}

void exitWith(const Errors &errors) {
  std::fprintf(stderr, "%s\n", errors.str().c_str());
  std::exit(2);
}

} // namespace metile
