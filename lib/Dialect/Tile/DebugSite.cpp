// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dialect/Tile/DebugSite.h"

#include "Dialect/Tile/Tile.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace metile::tile {

metile::Location sourceOf(mlir::Location location) {
  if (auto call = dyn_cast<CallSiteLoc>(location)) {
    metile::Location callee = sourceOf(call.getCallee()), caller = sourceOf(call.getCaller());
    std::vector<metile::Location> outer = std::move(caller.calledFrom);
    caller.calledFrom.clear();
    callee.calledFrom.push_back(std::move(caller));
    callee.calledFrom.insert(callee.calledFrom.end(), outer.begin(), outer.end());
    return callee;
  }
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return {place.getFilename().str(), place.getLine(), place.getColumn(), {}};
  return {};
}

static DType shownAs(Type type, bool isUnsigned) {
  DType dtype = dtypeOf(elementTypeOf(type));
  if (!isUnsigned)
    return dtype;
  switch (dtype) {
  case DType::i8:
    return DType::u8;
  case DType::i16:
    return DType::u16;
  case DType::i32:
    return DType::u32;
  case DType::i64:
    return DType::u64;
  default:
    return dtype;
  }
}

DebugSite debugSiteOf(Operation *op) {
  DebugSite site;
  site.location = sourceOf(op->getLoc());
  ArrayRef<bool> isUnsigned;
  TypeSwitch<Operation *>(op)
      .Case([&](PrintOp print) {
        site.kind = DebugSite::Kind::print;
        site.text = print.getText();
        isUnsigned = print.getIsUnsigned().value_or(ArrayRef<bool>());
      })
      .Case([&](ProbeOp probe) {
        static constexpr bool yes[] = {true};
        site.kind = DebugSite::Kind::probe;
        site.text = probe.getName();
        isUnsigned = probe.getIsUnsigned() ? ArrayRef<bool>(yes) : ArrayRef<bool>();
      })
      .Case([&](AssertOp check) {
        site.kind = DebugSite::Kind::assertion;
        site.text = check.getMessage();
      });
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    site.values.push_back({shownAs(value.getType(), i < isUnsigned.size() && isUnsigned[i]),
                           shapeOf(value.getType()).vec()});
  return site;
}

} // namespace metile::tile
