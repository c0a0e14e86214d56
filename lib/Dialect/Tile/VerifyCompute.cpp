// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What well-formed conversions, dots, reductions, scans and sorts are.

#include "Dialect/Tile/Verify.h"

using namespace mlir;

namespace metile::tile {

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult ToIntOp::verify() {
  return verifySameShape(*this, "source", getSource().getType(), "result", getType());
}

LogicalResult FromIntOp::verify() {
  if (elementTypeOf(getSource().getType()).isInteger(1) && !getIsUnsigned())
    return emitOpError() << "reads i1 as signed, where true is -1; i1 is converted with `unsigned`";
  return verifySameShape(*this, "source", getSource().getType(), "result", getType());
}

LogicalResult RoundOp::verify() {
  Type source = elementTypeOf(getSource().getType()), result = elementTypeOf(getType());
  if (source.getIntOrFloatBitWidth() <= result.getIntOrFloatBitWidth())
    return emitOpError() << "goes from " << source << " to " << result
                         << "; it goes to fewer bits, and arith.extf to more";
  return verifySameShape(*this, "source", getSource().getType(), "result", getType());
}

//===----------------------------------------------------------------------===//
// Dot and reductions
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(), acc = getAcc().getType();
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank || acc.getRank() != rank)
    return emitOpError() << "has operands of ranks " << rank << ", " << rhs.getRank() << " and "
                         << acc.getRank() << "; the ranks are equal and 2 or more";
  auto batch = lhs.getShape().drop_back(2);
  if (rhs.getShape().drop_back(2) != batch || acc.getShape().drop_back(2) != batch)
    return emitOpError() << "multiplies " << lhs << " by " << rhs << " into " << acc
                         << "; all axes before the last two are equal";
  int64_t m = lhs.getDimSize(rank - 2), k = lhs.getDimSize(rank - 1), n = rhs.getDimSize(rank - 1);
  if (rhs.getDimSize(rank - 2) != k)
    return emitOpError() << "lhs has K = " << k << " and rhs K = " << rhs.getDimSize(rank - 2)
                         << "; the last axis of lhs is the last but one of rhs";
  if (acc.getDimSize(rank - 2) != m || acc.getDimSize(rank - 1) != n)
    return emitOpError() << "accumulates into " << acc.getDimSize(rank - 2) << "x"
                         << acc.getDimSize(rank - 1) << "; the product is " << m << "x" << n;

  Builder builder(getContext());
  Type element = lhs.getElementType(), wanted;
  if (element.isInteger(8))
    wanted = builder.getI32Type();
  else if (element.isF64())
    wanted = element;
  else if (isFloat8(element) || isa<Float16Type, BFloat16Type, Float32Type>(element))
    wanted = builder.getF32Type();
  if (!wanted || rhs.getElementType() != element)
    return emitOpError() << "multiplies " << element << " by " << rhs.getElementType()
                         << "; both are of one type, f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or i8";
  if (acc.getElementType() != wanted)
    return emitOpError() << "accumulates in " << acc.getElementType() << "; products of " << element
                         << " are summed in " << wanted;
  if (getPrecision() == Precision::Tf32 && !element.isF32())
    return emitOpError() << "asks for tf32 with operands of " << element << "; it is for f32";
  if ((getUnsignedLhs() || getUnsignedRhs()) && !element.isInteger())
    return emitOpError() << "has unsigned operands of " << element << "; only i8 may be unsigned";
  return success();
}

/// What reduce and scan say of their sources; `resultShape` is that of every result.
static LogicalResult verifyCombined(Operation *op, ValueRange sources, int64_t axis,
                                    function_ref<void(SmallVectorImpl<int64_t> &)> toResultShape) {
  if (sources.empty())
    return op->emitOpError() << "has no source; it combines one or more";
  auto first = cast<RankedTensorType>(sources.front().getType());
  if (failed(verifyAxis(op, axis, first.getRank())))
    return failure();
  if (op->getNumResults() != sources.size())
    return op->emitOpError() << "has " << sources.size() << " sources and " << op->getNumResults()
                             << " results; there is one result a source";
  SmallVector<int64_t> shape(first.getShape());
  toResultShape(shape);
  for (auto [index, source, result] : llvm::enumerate(sources, op->getResults())) {
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getShape() != first.getShape())
      return op->emitOpError() << "source " << index << " is " << type << " and source 0 is "
                               << first << "; all sources have one shape";
    Type expected = tileOrScalar(shape, type.getElementType());
    if (result.getType() != expected)
      return op->emitOpError() << "result " << index << " is " << result.getType() << "; "
                               << op->getName().stripDialect() << " of " << type << " along axis "
                               << axis << " is " << expected;
  }
  return success();
}

/// What reduce and scan say of their combine regions.
static LogicalResult verifyCombine(Operation *op, ValueRange sources, Region &combine) {
  Block &block = combine.front();
  size_t count = sources.size();
  if (block.getNumArguments() != 2 * count)
    return op->emitOpError() << "has a combine region with " << block.getNumArguments()
                             << " arguments; " << count << " sources need " << 2 * count
                             << ": a value of each, then the other value of each";
  for (auto [index, argument] : llvm::enumerate(block.getArguments())) {
    Type element = elementTypeOf(sources[index % count].getType());
    if (argument.getType() != element)
      return op->emitOpError() << "has a combine region whose argument " << index << " is "
                               << argument.getType() << "; source " << index % count << " holds "
                               << element;
  }
  for (Operation &inner : block.without_terminator()) {
    if (!isPure(&inner) || (!OpTrait::hasElementwiseMappableTraits(&inner) &&
                            !inner.hasTrait<OpTrait::ConstantLike>()))
      return (op->emitOpError() << "combines with '" << inner.getName()
                                << "'; a combine region holds pure elementwise operations")
                 .attachNote(inner.getLoc())
             << "it is here";
    for (Type type : llvm::concat<const Type>(llvm::to_vector(inner.getOperandTypes()),
                                              llvm::to_vector(inner.getResultTypes())))
      if (!isNumber(type))
        return (op->emitOpError() << "combines with a value of type " << type
                                  << "; a combine region computes on scalars")
                   .attachNote(inner.getLoc())
               << "it is here";
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError() << "has a combine region that ends with '" << block.back().getName()
                             << "'; it ends with tile.yield";
  if (yield.getNumOperands() != count)
    return yield.emitOpError() << "yields " << yield.getNumOperands() << " values; " << count
                               << " sources need " << count;
  for (auto [index, value] : llvm::enumerate(yield.getValues())) {
    Type element = elementTypeOf(sources[index].getType());
    if (value.getType() != element)
      return yield.emitOpError() << "yields " << value.getType() << " for source " << index
                                 << ", which holds " << element;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyCombined(*this, getSources(), getAxis(), [&](SmallVectorImpl<int64_t> &shape) {
    shape.erase(shape.begin() + getAxis());
  });
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombine(*this, getSources(), getCombine()); }

LogicalResult ScanOp::verify() {
  return verifyCombined(*this, getSources(), getAxis(), [](SmallVectorImpl<int64_t> &) {});
}

LogicalResult ScanOp::verifyRegions() { return verifyCombine(*this, getSources(), getCombine()); }

LogicalResult SortOp::verify() {
  if (getSources().empty())
    return emitOpError() << "has no source; the first holds the keys";
  auto keys = cast<RankedTensorType>(getSources().front().getType());
  if (failed(verifyAxis(*this, getAxis(), keys.getRank())))
    return failure();
  if (getNumResults() != getSources().size())
    return emitOpError() << "has " << getSources().size() << " sources and " << getNumResults()
                         << " results; there is one result a source";
  if (getIsUnsigned() && !keys.getElementType().isInteger())
    return emitOpError() << "reads keys of " << keys.getElementType()
                         << " as unsigned; integers may be";
  SmallVector<int64_t> shape(keys.getShape());
  int64_t kept = cast<RankedTensorType>(getResults().front().getType()).getDimSize(getAxis());
  if (kept > shape[getAxis()])
    return emitOpError() << "keeps " << kept << " elements of " << shape[getAxis()] << " on axis "
                         << getAxis() << "; it keeps as many or fewer";
  shape[getAxis()] = kept;
  for (auto [index, source, result] : llvm::enumerate(getSources(), getResults())) {
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getShape() != keys.getShape())
      return emitOpError() << "source " << index << " is " << type << " and source 0 is " << keys
                           << "; all sources have one shape";
    auto expected = RankedTensorType::get(shape, type.getElementType());
    if (result.getType() != expected)
      return emitOpError() << "result " << index << " is " << result.getType() << "; it is "
                           << expected;
  }
  return success();
}

LogicalResult HistogramOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError() << "makes " << getType() << "; its bins lie along one axis";
  return getMask()
             ? verifySameShape(*this, "source", getSource().getType(), "mask", getMask().getType())
             : success();
}

} // namespace metile::tile
