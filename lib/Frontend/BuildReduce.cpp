// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace metile;
using namespace mlir;
using metile::detail::BinaryOp;
using metile::detail::ReduceOp;

/// Opens the region of `op`, a reduction or scan, with two arguments a source.
static Block *combineBlock(OpBuilder &builder, Operation *op, mlir::Location loc) {
  SmallVector<Type> types;
  for (int half = 0; half < 2; ++half)
    for (Type source : op->getOperandTypes())
      types.push_back(tile::elementTypeOf(source));
  return builder.createBlock(&op->getRegion(0), {}, types,
                             SmallVector<mlir::Location>(types.size(), loc));
}

Value Build::reduce(const TraceOperation &operation) {
  ReduceOp code = ReduceOp(operation.ints[0]);
  if (code == ReduceOp::argmax || code == ReduceOp::argmin)
    return argReduce(operation);
  DType dtype = type(operation.operands[0]).dtype;
  OpBuilder::InsertionGuard guard(builder);
  auto op = tile::ReduceOp::create(builder, loc, TypeRange{typeOf(type(operation.results[0]))},
                                   ValueRange{get(operation.operands[0])}, operation.ints[1]);
  Block *block = combineBlock(builder, op, loc);
  BinaryOp combine = code == ReduceOp::sum   ? BinaryOp::add
                     : code == ReduceOp::max ? BinaryOp::maximum
                                             : BinaryOp::minimum;
  Value combined = binary(combine, metile::nan(operation.ints[2]), block->getArgument(0),
                          block->getArgument(1), dtype);
  tile::YieldOp::create(builder, loc, combined);
  return op.getResult(0);
}

/// Reduces pairs (element, position). The better element wins, of equal ones the lower position, so
/// the combination is commutative and associative.
Value Build::argReduce(const TraceOperation &operation) {
  bool isMax = ReduceOp(operation.ints[0]) == ReduceOp::argmax;
  bool ignoreNan = metile::nan(operation.ints[2]) == metile::nan::ignore;
  int64_t axis = operation.ints[1];
  const TraceType &source = type(operation.operands[0]);
  Type indexType = builder.getI64Type();

  int64_t extent = source.shape[axis];
  Value positions =
      tile::ArangeOp::create(builder, loc, RankedTensorType::get({extent}, indexType), int64_t(0));
  if (source.shape.size() > 1) {
    SmallVector<int64_t> shape(source.shape.size(), 1);
    shape[axis] = extent;
    positions =
        tile::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, indexType), positions);
    positions = tile::BroadcastOp::create(
        builder, loc, RankedTensorType::get(source.shape, indexType), positions);
  }
  TraceType element = type(operation.results[0]);
  element.dtype = source.dtype;
  OpBuilder::InsertionGuard guard(builder);
  auto op = tile::ReduceOp::create(builder, loc,
                                   TypeRange{typeOf(element), typeOf(type(operation.results[0]))},
                                   ValueRange{get(operation.operands[0]), positions}, axis);
  Block *block = combineBlock(builder, op, loc);
  Value a = block->getArgument(0), i = block->getArgument(1);
  Value b = block->getArgument(2), j = block->getArgument(3);
  auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(builder, loc, x, y); };
  auto either = [&](Value x, Value y) -> Value { return arith::OrIOp::create(builder, loc, x, y); };
  auto compare = [&](BinaryOp code, Value x, Value y, DType dtype) {
    return binary(code, metile::nan::propagate, x, y, dtype);
  };
  Value better = compare(isMax ? BinaryOp::gt : BinaryOp::lt, a, b, source.dtype);
  Value equal = compare(BinaryOp::eq, a, b, source.dtype);
  if (isFloat(source.dtype)) {
    Value aNan = compare(BinaryOp::ne, a, a, source.dtype);
    Value bNan = compare(BinaryOp::ne, b, b, source.dtype);
    Value one = arith::XOrIOp::create(builder, loc, aNan, bNan);
    better = either(better, both(one, ignoreNan ? bNan : aNan));
    equal = either(equal, both(aNan, bNan));
  }
  Value lower = compare(BinaryOp::lt, i, j, DType::i64);
  Value takeA = either(better, both(equal, lower));
  Value element0 = arith::SelectOp::create(builder, loc, takeA, a, b);
  Value position = arith::SelectOp::create(builder, loc, takeA, i, j);
  tile::YieldOp::create(builder, loc, ValueRange{element0, position});
  return op.getResult(1);
}

void Build::combine(const TraceOperation &operation) {
  OpBuilder::InsertionGuard guard(builder);
  mlir::Location here = loc;
  SmallVector<Type> types;
  for (TraceValue result : operation.results)
    types.push_back(typeOf(type(result)));
  SmallVector<Value> sources = get(operation.operands);
  int64_t axis = operation.ints[0];
  Operation *op;
  if (operation.op == TraceOp::combine)
    op = tile::ReduceOp::create(builder, loc, types, sources, axis);
  else
    op = tile::ScanOp::create(builder, loc, types, sources, axis, operation.ints[1] != 0);
  Block *block = combineBlock(builder, op, loc);
  const TraceRegion &region = operation.regions[0];
  for (auto [argument, value] : llvm::zip_equal(region.arguments, block->getArguments()))
    values[argument] = value;
  body(region, *block);
  tile::YieldOp::create(builder, here, get(region.yields));
  for (auto [result, value] : llvm::zip_equal(operation.results, op->getResults()))
    values[result] = value;
}

void Build::sort(const TraceOperation &operation) {
  SmallVector<Type> types;
  for (TraceValue result : operation.results)
    types.push_back(typeOf(type(result)));
  DType keys = type(operation.operands[0]).dtype;
  bool isUnsigned = isUnsignedInteger(keys);
  auto op = tile::SortOp::create(builder, loc, types, get(operation.operands), operation.ints[0],
                                 isUnsigned, operation.ints[1] != 0);
  for (auto [result, value] : llvm::zip_equal(operation.results, op.getResults()))
    values[result] = value;
}
