// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The [[attributes]] of a text, taken out of it and kept by where they stood.
#pragma once

#include "Emulator/TokenEditor.h"

namespace metile::emulator {

struct Attribute {
  std::string name;
  size_t first = 0, end = 0; ///< The tokens between its parentheses; empty if it has none.
};

class AttributeTable {
public:
  /// Removes all attributes from `editor`.
  explicit AttributeTable(TokenEditor &editor);

  /// The attribute called `name` that begins in [first, end), or null.
  const Attribute *find(std::string_view name, size_t first, size_t end) const;
  /// All that begin in [first, end).
  std::vector<const Attribute *> within(size_t first, size_t end) const;

private:
  std::multimap<size_t, Attribute> table; ///< By the token at which the brackets open.
};

} // namespace metile::emulator
