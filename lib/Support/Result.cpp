// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/result.h"

#include <cstdio>
#include <cstdlib>

namespace metile {

std::string Location::str() const {
  std::string text = file;
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
  return result;
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
