// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Findings.h"

#include "Dialect/Tile/DebugSite.h"

namespace metile::interpreter {

void Findings::add(Kind kind, mlir::Operation *op, int32_t argument,
                   const std::function<Diagnostic()> &describeFirst) {
  Key key{kind, op, argument};
  Entry &entry = entries[key];
  if (entry.count++ == 0) {
    entry.diagnostic = describeFirst();
    entry.diagnostic.location = tile::sourceOf(op->getLoc());
    order.push_back(key);
  }
}

Errors Findings::take() {
  Errors errors;
  errors.isFinding = true;
  for (const Key &key : order) {
    Entry &entry = entries[key];
    if (entry.count > 1)
      entry.diagnostic.found += " (and so for " + std::to_string(entry.count - 1) + " more)";
    errors.diagnostics.push_back(std::move(entry.diagnostic));
  }
  entries.clear();
  order.clear();
  return errors;
}

} // namespace metile::interpreter
