// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Findings.h"

#include "mlir/IR/Location.h"

namespace metile::interpreter {

std::string describe(const Program &program) {
  std::string text = "program (";
  for (size_t axis = 0; axis < 3; ++axis)
    text += (axis ? ", " : "") + std::to_string(program.id[axis]);
  return text + ")";
}

/// The callee's place, then each caller's as calledFrom.
static Location convert(mlir::LocationAttr location) {
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    Location callee = convert(call.getCallee()), caller = convert(call.getCaller());
    std::vector<Location> outer = std::move(caller.calledFrom);
    caller.calledFrom.clear();
    callee.calledFrom.push_back(std::move(caller));
    callee.calledFrom.insert(callee.calledFrom.end(), outer.begin(), outer.end());
    return callee;
  }
  if (auto place = location.findInstanceOf<mlir::FileLineColLoc>())
    return {place.getFilename().str(), place.getLine(), place.getColumn(), {}};
  return {};
}

Location locationOf(mlir::Operation *op) { return convert(op->getLoc()); }

void Findings::add(Kind kind, mlir::Operation *op, int32_t argument,
                   const std::function<Diagnostic()> &describeFirst) {
  Key key{kind, op, argument};
  Entry &entry = entries[key];
  if (entry.count++ == 0) {
    entry.diagnostic = describeFirst();
    entry.diagnostic.location = locationOf(op);
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
