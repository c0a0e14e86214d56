// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kind of block each brace opens: namespace, class, function or anything else.
#pragma once

#include "Emulator/TokenEditor.h"

namespace metile::emulator {

class ScopeTable {
public:
  enum class Kind : uint8_t { namespaceBlock, classBody, functionBody, other };

  explicit ScopeTable(const TokenEditor &editor);

  /// The kind of the block that the `{` at `index` opens.
  Kind kindOf(size_t index) const { return kinds.at(index); }
  /// Whether the token at `index` stands in a function's body, but not in a class inside it.
  bool inFunction(size_t index) const { return functions[index]; }
  /// The `{` of the innermost block around the token at `index`; none outside all.
  size_t enclosing(size_t index) const { return parents[index]; }
  /// "a::b::" for the namespaces around the token at `index`.
  std::string namespacePrefix(size_t index) const;

private:
  Kind classify(size_t brace, bool insideFunction) const;

  const TokenEditor &editor;
  std::map<size_t, Kind> kinds;
  std::vector<bool> functions;
  std::vector<size_t> parents;
};

} // namespace metile::emulator
