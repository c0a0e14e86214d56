// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dialect/Tile/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Dialect/Tile/TileDialect.cpp.inc"
#include "Dialect/Tile/TileEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Tile/TileTypes.cpp.inc"

#define GET_OP_CLASSES
#include "Dialect/Tile/TileOps.cpp.inc"

using namespace mlir;

namespace metile::tile {

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Tile/TileOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

Type elementTypeOf(Type type) { return getElementTypeOrSelf(type); }

Type tileOrScalar(ArrayRef<int64_t> shape, Type element) {
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

Type ViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type element;
  auto parseStride = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      strides.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(strides.emplace_back());
  };
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element) ||
      parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseStride) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(parser.getContext(), shape, element, strides);
}

void ViewType::print(AsmPrinter &printer) const {
  auto printExtent = [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      printer << '?';
    else
      printer << extent;
  };
  printer << '<';
  for (int64_t extent : getShape()) {
    printExtent(extent);
    printer << 'x';
  }
  printer << getElementType() << ", [";
  llvm::interleaveComma(getStrides(), printer, printExtent);
  printer << "]>";
}

DType dtypeOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return DType::f8e4m3;
  if (isa<Float8E5M2Type>(type))
    return DType::f8e5m2;
  if (type.isF16())
    return DType::f16;
  if (type.isBF16())
    return DType::bf16;
  if (type.isF32())
    return DType::f32;
  if (type.isF64())
    return DType::f64;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return DType::boolean;
  case 8:
    return DType::i8;
  case 16:
    return DType::i16;
  case 32:
    return DType::i32;
  default:
    return DType::i64;
  }
}

} // namespace metile::tile
