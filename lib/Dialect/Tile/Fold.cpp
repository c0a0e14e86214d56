// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be said of tile operations at compile time: folders and canonical forms. Arithmetic
// follows DESIGN §9 to the bit, because a folded and an executed operation must agree.

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;

namespace metile::tile {

//===----------------------------------------------------------------------===//
// Integer arithmetic
//===----------------------------------------------------------------------===//

static APInt divide(const APInt &lhs, const APInt &rhs, Rounding rounding, bool isUnsigned) {
  if (rhs.isZero())
    return rhs;
  switch (rounding) {
  case Rounding::Trunc:
    return isUnsigned ? lhs.udiv(rhs) : lhs.sdiv(rhs);
  case Rounding::Floor:
    return isUnsigned ? lhs.udiv(rhs)
                      : llvm::APIntOps::RoundingSDiv(lhs, rhs, APInt::Rounding::DOWN);
  case Rounding::Ceil:
    return isUnsigned ? llvm::APIntOps::RoundingUDiv(lhs, rhs, APInt::Rounding::UP)
                      : llvm::APIntOps::RoundingSDiv(lhs, rhs, APInt::Rounding::UP);
  }
  llvm_unreachable("unknown rounding");
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_One()))
    return getLhs();
  // Zero by anything is zero, and so is anything by zero.
  for (Attribute operand : adaptor.getOperands())
    if (matchPattern(operand, m_Zero()))
      return operand;
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [&](const APInt &lhs, const APInt &rhs) {
        return divide(lhs, rhs, getRounding(), getIsUnsigned());
      });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_One()))
    return Builder(getContext()).getZeroAttr(getType());
  for (Attribute operand : adaptor.getOperands())
    if (matchPattern(operand, m_Zero()))
      return operand;
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [&](const APInt &lhs, const APInt &rhs) {
        if (rhs.isZero())
          return rhs;
        return lhs - divide(lhs, rhs, getRounding(), getIsUnsigned()) * rhs;
      });
}

// The amount is compared as an unsigned number, which makes a negative one too large as well.

OpFoldResult ShlOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_Zero()))
    return getLhs();
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [](const APInt &lhs, const APInt &rhs) {
        return rhs.uge(lhs.getBitWidth()) ? APInt::getZero(lhs.getBitWidth()) : lhs.shl(rhs);
      });
}

OpFoldResult ShrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_Zero()))
    return getLhs();
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [&](const APInt &lhs, const APInt &rhs) {
        unsigned width = lhs.getBitWidth();
        if (rhs.ult(width))
          return getIsUnsigned() ? lhs.lshr(rhs) : lhs.ashr(rhs);
        return getIsUnsigned() || lhs.isNonNegative() ? APInt::getZero(width)
                                                      : APInt::getAllOnes(width);
      });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

OpFoldResult MulHiOp::fold(FoldAdaptor adaptor) {
  for (Attribute operand : adaptor.getOperands())
    if (matchPattern(operand, m_Zero()))
      return operand;
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(), [&](const APInt &lhs, const APInt &rhs) {
        return getIsUnsigned() ? llvm::APIntOps::mulhu(lhs, rhs) : llvm::APIntOps::mulhs(lhs, rhs);
      });
}

OpFoldResult ToIntOp::fold(FoldAdaptor adaptor) {
  unsigned width = elementTypeOf(getType()).getIntOrFloatBitWidth();
  return constFoldCastOp<FloatAttr, IntegerAttr, APFloat, APInt, void>(
      adaptor.getOperands(), getType(), [&](const APFloat &value, bool &) {
        llvm::APSInt result(width, getIsUnsigned());
        bool isExact;
        // Saturates, and gives 0 for NaN.
        value.convertToInteger(result, APFloat::rmTowardZero, &isExact);
        return APInt(result);
      });
}

OpFoldResult FromIntOp::fold(FoldAdaptor adaptor) {
  auto type = cast<FloatType>(elementTypeOf(getType()));
  return constFoldCastOp<IntegerAttr, FloatAttr, APInt, APFloat, void>(
      adaptor.getOperands(), getType(), [&](const APInt &value, bool &) {
        APFloat result(type.getFloatSemantics());
        result.convertFromAPInt(value, !getIsUnsigned(), APFloat::rmNearestTiesToEven);
        return result;
      });
}

OpFoldResult RoundOp::fold(FoldAdaptor adaptor) {
  auto type = cast<FloatType>(elementTypeOf(getType()));
  // An infinite f8E5M2 would not come back from the wider type.
  if (auto widened = getSource().getDefiningOp<arith::ExtFOp>())
    if (widened.getIn().getType() == getType() && !isa<Float8E5M2Type>(type))
      return widened.getIn();
  return constFoldCastOp<FloatAttr, FloatAttr, APFloat, APFloat, void>(
      adaptor.getOperands(), getType(), [&](const APFloat &value, bool &) {
        APFloat result(value);
        bool losesInfo;
        if (type.getWidth() == 8 && !value.isNaN()) {
          APFloat largest = APFloat::getLargest(type.getFloatSemantics(), value.isNegative());
          if (value.isInfinity())
            return largest;
          APFloat widest(largest);
          widest.convert(value.getSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
          if ((value.isNegative() ? widest.compare(value) : value.compare(widest)) ==
              APFloat::cmpGreaterThan)
            return largest;
        }
        result.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
        return result;
      });
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// `source`, all elements of which are equal, under the shape of `type`; null for other constants.
static Attribute resizeSplat(Attribute source, Type type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(source);
  return splat ? splat.resizeSplat(cast<ShapedType>(type)) : Attribute();
}

/// Replaces an operation that only moves elements by a splat where its source is one.
static LogicalResult replaceBySplat(Operation *op, PatternRewriter &rewriter) {
  auto splat = op->getOperand(0).getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  if (isa<RankedTensorType>(op->getResult(0).getType()))
    rewriter.replaceOpWithNewOp<SplatOp>(op, op->getResult(0).getType(), splat.getValue());
  else
    rewriter.replaceOp(op, splat.getValue());
  return success();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getValue()))
    return {};
  return SplatElementsAttr::get(getType(), adaptor.getValue());
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resizeSplat(adaptor.getSource(), getType());
}

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  return replaceBySplat(op, rewriter);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getSource().getDefiningOp<BroadcastOp>()) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSource());
    return success();
  }
  return replaceBySplat(op, rewriter);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  Attribute source = adaptor.getSource();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(source);
  auto shaped = dyn_cast<ShapedType>(getType());
  if (dense && shaped)
    return dense.reshape(shaped);
  if (dense)
    return dense.getSplatValue<Attribute>();
  if (isa_and_nonnull<IntegerAttr, FloatAttr>(source))
    return SplatElementsAttr::get(shaped, source);
  return {};
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (isa_and_nonnull<ReshapeOp, ExpandDimsOp>(op.getSource().getDefiningOp())) {
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(),
                                           op.getSource().getDefiningOp()->getOperand(0));
    return success();
  }
  if (!isa<ShapedType>(op.getSource().getType())) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), op.getSource());
    return success();
  }
  return replaceBySplat(op, rewriter);
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::all_of(llvm::enumerate(permutation),
                      [](auto pair) { return int64_t(pair.index()) == pair.value(); });
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(getPermutation()))
    return getSource();
  return resizeSplat(adaptor.getSource(), getType());
}

LogicalResult TransposeOp::canonicalize(TransposeOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getSource().getDefiningOp<TransposeOp>()) {
    rewriter.replaceOpWithNewOp<TransposeOp>(
        op, op.getType(), inner.getSource(),
        applyPermutation(inner.getPermutation(), op.getPermutation()));
    return success();
  }
  return replaceBySplat(op, rewriter);
}

LogicalResult ReduceOp::canonicalize(ReduceOp op, PatternRewriter &rewriter) {
  if (shapeOf(op.getSources().front().getType())[op.getAxis()] != 1)
    return failure();
  SmallVector<Value> results;
  for (auto [source, result] : llvm::zip_equal(op.getSources(), op.getResults()))
    results.push_back(ReshapeOp::create(rewriter, op.getLoc(), result.getType(), source));
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.replaceOpWithNewOp<LoadOp>(op, op.getType(), op.getPtr(), Value(), Value());
    return success();
  }
  if (!matchPattern(op.getMask(), m_Zero()))
    return failure();
  if (op.getOther())
    rewriter.replaceOp(op, op.getOther());
  else
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
  return success();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (!op.getMask())
    return failure();
  if (matchPattern(op.getMask(), m_One())) {
    rewriter.replaceOpWithNewOp<StoreOp>(op, op.getPtr(), op.getValue(), Value());
    return success();
  }
  if (!matchPattern(op.getMask(), m_Zero()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

/// Moves `view` and `axis` up through operations that only choose and order axes. True when it
/// moved.
static bool followAxis(Value &view, int64_t &axis) {
  if (auto at = view.getDefiningOp<ViewAtOp>()) {
    axis += at.getIndices().size();
    view = at.getView();
    return true;
  }
  if (auto transposed = view.getDefiningOp<ViewTransposeOp>()) {
    axis = transposed.getPermutation()[axis];
    view = transposed.getView();
    return true;
  }
  return false;
}

/// Folds a question about one axis of a view, the static answers to which are `known`.
template <typename OpT> static OpFoldResult foldAxisQuestion(OpT op, ArrayRef<int64_t> known) {
  int64_t axis = op.getAxis();
  if (!ShapedType::isDynamic(known[axis]))
    return Builder(op.getContext()).getI64IntegerAttr(known[axis]);
  Value view = op.getView();
  if (!followAxis(view, axis))
    return {};
  op.getViewMutable().assign(view);
  op.setAxis(axis);
  return op.getResult();
}

OpFoldResult ViewSizeOp::fold(FoldAdaptor) {
  return foldAxisQuestion(*this, getView().getType().getShape());
}

OpFoldResult ViewStrideOp::fold(FoldAdaptor) {
  return foldAxisQuestion(*this, getView().getType().getStrides());
}

LogicalResult ViewAtOp::canonicalize(ViewAtOp op, PatternRewriter &rewriter) {
  auto outer = op.getView().getDefiningOp<ViewAtOp>();
  if (!outer)
    return failure();
  SmallVector<Value> indices(outer.getIndices());
  llvm::append_range(indices, op.getIndices());
  rewriter.replaceOpWithNewOp<ViewAtOp>(op, op.getType(), outer.getView(), indices);
  return success();
}

OpFoldResult ViewTransposeOp::fold(FoldAdaptor) {
  return isIdentity(getPermutation()) ? getView() : OpFoldResult();
}

LogicalResult ViewTransposeOp::canonicalize(ViewTransposeOp op, PatternRewriter &rewriter) {
  auto inner = op.getView().getDefiningOp<ViewTransposeOp>();
  if (!inner)
    return failure();
  rewriter.replaceOpWithNewOp<ViewTransposeOp>(
      op, op.getType(), inner.getView(),
      applyPermutation(inner.getPermutation(), op.getPermutation()));
  return success();
}

} // namespace metile::tile
