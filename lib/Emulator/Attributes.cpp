// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Attributes.h"

namespace metile::emulator {

AttributeTable::AttributeTable(TokenEditor &editor) {
  for (size_t i = 0; i + 1 < editor.size(); ++i) {
    if (!editor.is(i, "[") || !editor.is(i + 1, "["))
      continue;
    size_t close = editor.match(i);
    if (close == TokenEditor::none || editor.match(i + 1) + 1 != close)
      continue;
    for (size_t at = i + 2; at + 1 < close; ++at) {
      if (!editor.isIdentifier(at))
        continue;
      Attribute attribute;
      attribute.name = editor[at].text;
      if (editor.is(at + 1, "(") && editor.match(at + 1) != TokenEditor::none) {
        attribute.first = at + 2;
        attribute.end = editor.match(at + 1);
        at = attribute.end;
      }
      table.emplace(i, std::move(attribute));
    }
    editor.remove(i, close + 1);
    i = close;
  }
}

const Attribute *AttributeTable::find(std::string_view name, size_t first, size_t end) const {
  for (auto at = table.lower_bound(first); at != table.end() && at->first < end; ++at)
    if (at->second.name == name)
      return &at->second;
  return nullptr;
}

std::vector<const Attribute *> AttributeTable::within(size_t first, size_t end) const {
  std::vector<const Attribute *> found;
  for (auto at = table.lower_bound(first); at != table.end() && at->first < end; ++at)
    found.push_back(&at->second);
  return found;
}

} // namespace metile::emulator
