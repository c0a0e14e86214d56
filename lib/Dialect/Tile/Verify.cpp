// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a well-formed tile program is. Messages say what was found and what is allowed.

#include "Dialect/Tile/Tile.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace metile::tile {

using ErrorFn = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isNumber(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type);
}

static constexpr StringLiteral numberTypes = "i1, i8, i16, i32, i64, f16, bf16, f32 and f64";

static LogicalResult verifyTile(ErrorFn emitError, RankedTensorType type) {
  auto fail = [&] { return emitError() << "tile " << type << " "; };
  if (type.getRank() == 0)
    return fail() << "has rank 0; a single value is written as the scalar "
                  << type.getElementType();
  int64_t elements = 1;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(extent))
      return fail() << "has an unknown extent on axis " << axis
                    << "; the shape of a tile is known at compile time";
    if (extent < 1)
      return fail() << "has no elements on axis " << axis << "; an axis holds 1 or more";
    if (!llvm::isPowerOf2_64(extent))
      return fail() << "has extent " << extent << " on axis " << axis
                    << "; an axis is a power of two, the nearest are "
                    << llvm::bit_floor(uint64_t(extent)) << " and " << llvm::NextPowerOf2(extent);
    if (extent > maxTileElements || (elements *= extent) > maxTileElements)
      return fail() << "is too large; a tile has at most " << maxTileElements << " elements";
  }
  if (type.getEncoding())
    return fail() << "has an encoding; tiles have none in this dialect";
  return success();
}

LogicalResult verifyTiles(Operation *op) {
  auto verify = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types))
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (failed(verifyTile([&] { return op->emitOpError() << what << " " << index << ": "; },
                              tensor)))
          return failure();
    return success();
  };
  return success(succeeded(verify(op->getOperandTypes(), "operand")) &&
                 succeeded(verify(op->getResultTypes(), "result")));
}

LogicalResult PtrType::verify(ErrorFn emitError, Type elementType) {
  if (!isNumber(elementType))
    return emitError() << "pointer to " << elementType << "; it may point to " << numberTypes;
  return success();
}

LogicalResult ViewType::verify(ErrorFn emitError, ArrayRef<int64_t> shape, Type elementType,
                               ArrayRef<int64_t> strides) {
  if (!isNumber(elementType))
    return emitError() << "view of " << elementType << "; its elements may be " << numberTypes;
  if (shape.size() != strides.size())
    return emitError() << "view has " << shape.size() << " axes and " << strides.size()
                       << " strides; there is one stride an axis";
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emitError() << "view has extent " << extent << " on axis " << axis
                         << "; an extent is 0 or more, or ?";
  return success();
}

/// Both are scalars, or both tensors (or both vectors) of one shape.
static bool haveSameShape(Type a, Type b) {
  return isa<RankedTensorType>(a) == isa<RankedTensorType>(b) &&
         isa<VectorType>(a) == isa<VectorType>(b) && shapeOf(a) == shapeOf(b);
}

static LogicalResult verifySameShape(Operation *op, StringRef aName, Type a, StringRef bName,
                                     Type b) {
  if (haveSameShape(a, b))
    return success();
  return op->emitOpError() << aName << " is " << a << " and " << bName << " is " << b
                           << "; both have one shape";
}

static LogicalResult verifySameElement(Operation *op, StringRef aName, Type a, StringRef bName,
                                       Type b) {
  Type aElement = elementTypeOf(a), bElement = elementTypeOf(b);
  if (aElement == bElement)
    return success();
  return op->emitOpError() << aName << " holds " << aElement << " and " << bName << " holds "
                           << bElement << "; both hold the same type";
}

static LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "names axis " << axis;
  if (rank == 0)
    return error << " of something that has no axes";
  return error << "; allowed are 0 to " << rank - 1;
}

static LogicalResult verifyPermutation(Operation *op, ArrayRef<int64_t> permutation, size_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : permutation)
    if (axis >= 0 && axis < int64_t(rank))
      seen.set(axis);
  if (permutation.size() == rank && seen.all())
    return success();
  return op->emitOpError() << "has permutation [" << permutation
                           << "]; it names each axis from 0 to " << int64_t(rank) - 1 << " once";
}

//===----------------------------------------------------------------------===//
// Kernels and their arguments
//===----------------------------------------------------------------------===//

static constexpr StringLiteral argumentAttrNames[] = {nameAttrName,
                                                      roleAttrName,
                                                      alignmentAttrName,
                                                      divisibilityAttrName,
                                                      sizeDivisibilityAttrName,
                                                      strideDivisibilityAttrName};

static LogicalResult verifyKernelArguments(FunctionOpInterface function) {
  llvm::StringMap<unsigned> names;
  for (unsigned i = 0, count = function.getNumArguments(); i != count; ++i) {
    Type type = function.getArgumentTypes()[i];
    bool isMemory = isa<PtrType, ViewType>(type);
    if (!isMemory && !isNumber(type))
      return function.emitOpError()
             << "kernel argument " << i << " is " << type
             << "; allowed are !tile.view, !tile.ptr and the numbers " << numberTypes;
    auto name = function.getArgAttrOfType<StringAttr>(i, nameAttrName);
    if (!name)
      return function.emitOpError()
             << "kernel argument " << i << " has no " << nameAttrName << "; every argument has one";
    auto [place, fresh] = names.try_emplace(name.getValue(), i);
    if (!fresh)
      return function.emitOpError()
             << "kernel arguments " << place->second << " and " << i << " are both named \""
             << name.getValue() << "\"; names are unique";
    if (isMemory && !function.getArgAttr(i, roleAttrName))
      return function.emitOpError() << "kernel argument " << name << " has no " << roleAttrName
                                    << "; views and pointers have one";
  }
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != kernelAttrName)
    return op->emitOpError() << "has the attribute '" << attribute.getName().getValue()
                             << "'; the only attribute of this dialect on an operation is '"
                             << kernelAttrName << "'";
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError() << "has " << kernelAttrName << " = " << attribute.getValue()
                             << "; it is a unit attribute of functions";
  if (function.isExternal())
    return op->emitOpError() << "is a kernel without a body";
  if (function.getNumResults() != 0)
    return op->emitOpError() << "is a kernel with results; a kernel stores what it computes";
  if (failed(verifyKernelArguments(function)))
    return failure();

  // Operations of other dialects carry tiles too, and only the kernel can check theirs.
  bool hasGrid = false;
  WalkResult walk = function.getFunctionBody().walk([&](Operation *inner) {
    hasGrid |= isa<GridOp>(inner);
    return failed(verifyTiles(inner)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (!hasGrid)
    return op->emitOpError() << "is a kernel without tile.grid; it has one, in its entry block";
  return success();
}

static LogicalResult verifyDivisors(Operation *op, NamedAttribute attribute, ViewType view,
                                    ArrayRef<int64_t> known) {
  auto divisors = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  StringRef name = attribute.getName().getValue();
  if (!divisors || divisors.size() != view.getRank())
    return op->emitOpError() << "has " << name << " = " << attribute.getValue() << " on " << view
                             << "; it is array<i64: …> with one number an axis, here "
                             << view.getRank();
  for (auto [divisor, value] : llvm::zip_equal(divisors.asArrayRef(), known)) {
    if (divisor < 1)
      return op->emitOpError() << "has the divisor " << divisor << " in " << name
                               << "; divisors are 1 or more";
    if (!ShapedType::isDynamic(value) && value % divisor != 0)
      return op->emitOpError() << "has the divisor " << divisor << " in " << name << ", but "
                               << view << " says " << value << ", which is no multiple of it";
  }
  return success();
}

LogicalResult TileDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                    unsigned argIndex, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  StringRef name = attribute.getName().getValue();
  Attribute value = attribute.getValue();
  if (!function || !llvm::is_contained(argumentAttrNames, name)) {
    InFlightDiagnostic error = op->emitOpError() << "has the argument attribute '" << name
                                                 << "'; function arguments may have ";
    llvm::interleaveComma(argumentAttrNames, error);
    return error;
  }
  Type type = function.getArgumentTypes()[argIndex];
  auto wrongType = [&](StringRef allowed) {
    return op->emitOpError() << "has " << name << " on argument " << argIndex << " of type " << type
                             << "; it belongs to " << allowed;
  };
  auto wrongValue = [&](StringRef allowed) {
    return op->emitOpError() << "has " << name << " = " << value << " on argument " << argIndex
                             << "; it is " << allowed;
  };

  if (name == nameAttrName) {
    auto text = dyn_cast<StringAttr>(value);
    return text && !text.empty() ? success() : wrongValue("a string that is not empty");
  }
  if (name == roleAttrName) {
    if (!isa<ViewType, PtrType>(type))
      return wrongType("views and pointers");
    auto text = dyn_cast<StringAttr>(value);
    if (!text || !llvm::is_contained({"in", "out", "inout", "pointer"}, text.getValue()))
      return wrongValue("\"in\", \"out\", \"inout\" or \"pointer\"");
    return success();
  }
  if (name == alignmentAttrName) {
    if (!isa<ViewType, PtrType>(type))
      return wrongType("views and pointers");
    auto bytes = dyn_cast<IntegerAttr>(value);
    if (!bytes || !bytes.getType().isSignlessInteger(64) || bytes.getInt() < 1 ||
        !llvm::isPowerOf2_64(bytes.getInt()))
      return wrongValue("a power of two of type i64, in bytes");
    return success();
  }
  if (name == divisibilityAttrName) {
    if (!type.isSignlessInteger() || type.isInteger(1))
      return wrongType("integer scalars");
    auto divisor = dyn_cast<IntegerAttr>(value);
    if (!divisor || !divisor.getType().isSignlessInteger(64) || divisor.getInt() < 1)
      return wrongValue("a number of type i64, 1 or more");
    return success();
  }
  auto view = dyn_cast<ViewType>(type);
  if (!view)
    return wrongType("views");
  return verifyDivisors(op, attribute, view,
                        name == sizeDivisibilityAttrName ? view.getShape() : view.getStrides());
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

/// The first operation on which `value` depends and which a launch cannot evaluate before any
/// program runs; null when there is none.
static Operation *findNonUniform(Value value) {
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i != values.size(); ++i) {
    Operation *def = values[i].getDefiningOp();
    if (!def)
      continue;
    if (isa<ProgramIdOp, NumProgramsOp>(def) || def->getNumRegions() != 0 ||
        !isMemoryEffectFree(def))
      return def;
    values.insert(def->operand_begin(), def->operand_end());
  }
  return nullptr;
}

LogicalResult GridOp::verify() {
  if (getExtents().empty() || getExtents().size() > 3)
    return emitOpError() << "has " << getExtents().size()
                         << " extents; a grid has one to three, x first";
  auto function = dyn_cast_or_null<FunctionOpInterface>((*this)->getParentOp());
  if (!function || !(*this)->getBlock()->isEntryBlock())
    return emitOpError() << "stands inside '"
                         << ((*this)->getParentOp()
                                 ? (*this)->getParentOp()->getName().getStringRef()
                                 : StringRef("nothing"))
                         << "'; it belongs to the entry block of a kernel";
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode())
    if (isa<GridOp>(op))
      return (emitOpError() << "is the second of its kernel; a kernel has one")
                 .attachNote(op->getLoc())
             << "the first is here";
  for (auto [axis, extent] : llvm::enumerate(getExtents()))
    if (Operation *op = findNonUniform(extent))
      return (emitOpError() << "extent " << axis << " depends on '" << op->getName()
                            << "'; the grid is computed from the kernel's arguments alone")
                 .attachNote(op->getLoc())
             << "this is known only while a program runs";
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult ArangeOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError() << "makes " << getType() << "; it makes a tile of one axis";
  return success();
}

LogicalResult SplatOp::verify() {
  return verifySameElement(*this, "value", getValue().getType(), "result", getType());
}

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (failed(verifyAxis(*this, getAxis(), source.getRank() + 1)))
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + getAxis(), 1);
  auto expected = RankedTensorType::get(shape, source.getElementType());
  if (result != expected)
    return emitOpError() << "makes " << result << " of " << source << "; with axis " << getAxis()
                         << " it makes " << expected;
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (failed(verifySameElement(*this, "source", source, "result", result)))
    return failure();
  if (source.getRank() != result.getRank())
    return emitOpError() << "makes " << result << " of " << source
                         << "; the rank stays, tile.expand_dims adds axes";
  for (auto [axis, from, to] : llvm::enumerate(source.getShape(), result.getShape()))
    if (from != to && from != 1)
      return emitOpError() << "changes axis " << axis << " from " << from << " to " << to
                           << "; only an axis of extent 1 is repeated";
  return success();
}

LogicalResult ReshapeOp::verify() {
  Type source = getSource().getType(), result = getType();
  if (failed(verifySameElement(*this, "source", source, "result", result)))
    return failure();
  int64_t from = ShapedType::getNumElements(shapeOf(source));
  int64_t to = ShapedType::getNumElements(shapeOf(result));
  if (from != to)
    return emitOpError() << "makes " << to << " elements of " << from << "; their number stays";
  return success();
}

LogicalResult TransposeOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyPermutation(*this, getPermutation(), source.getRank())))
    return failure();
  auto expected = RankedTensorType::get(applyPermutation(source.getShape(), getPermutation()),
                                        source.getElementType());
  if (getType() != expected)
    return emitOpError() << "makes " << getType() << " of " << source << "; permuted by ["
                         << getPermutation() << "] it is " << expected;
  return success();
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  return verifySameShape(*this, "pointer", getPtr().getType(), "offset", getOffset().getType());
}

/// What load and store share: `value` has the shape and the pointee of `ptr`, `mask` its shape.
static LogicalResult verifyAccess(Operation *op, Value ptr, StringRef valueName, Type value,
                                  Value mask) {
  Type pointee = cast<PtrType>(elementTypeOf(ptr.getType())).getElementType();
  if (failed(verifySameShape(op, "pointer", ptr.getType(), valueName, value)))
    return failure();
  if (elementTypeOf(value) != pointee)
    return op->emitOpError() << valueName << " holds " << elementTypeOf(value)
                             << " and the pointer points to " << pointee
                             << "; memory is read and written as what it holds";
  return mask ? verifySameShape(op, "pointer", ptr.getType(), "mask", mask.getType()) : success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyAccess(*this, getPtr(), "result", getType(), getMask())))
    return failure();
  if (!getOther())
    return success();
  if (!getMask())
    return emitOpError() << "has `other` without a mask; it is what masked elements equal";
  if (getOther().getType() != getType())
    return emitOpError() << "other is " << getOther().getType() << " and the result is "
                         << getType() << "; both have one type";
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getPtr(), "value", getValue().getType(), getMask());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

LogicalResult ViewSizeOp::verify() {
  return verifyAxis(*this, getAxis(), getView().getType().getRank());
}

LogicalResult ViewStrideOp::verify() {
  return verifyAxis(*this, getAxis(), getView().getType().getRank());
}

LogicalResult ViewAtOp::verify() {
  ViewType view = getView().getType();
  size_t fixed = getIndices().size();
  if (fixed == 0 || fixed > view.getRank())
    return emitOpError() << "has " << fixed << " indices for a view of rank " << view.getRank()
                         << "; it fixes 1 to " << view.getRank() << " axes";
  auto expected = ViewType::get(getContext(), view.getShape().drop_front(fixed),
                                view.getElementType(), view.getStrides().drop_front(fixed));
  if (getType() != expected)
    return emitOpError() << "makes " << getType() << "; what is left of " << view << " is "
                         << expected;
  return success();
}

LogicalResult ViewTransposeOp::verify() {
  ViewType view = getView().getType();
  if (failed(verifyPermutation(*this, getPermutation(), view.getRank())))
    return failure();
  auto expected =
      ViewType::get(getContext(), applyPermutation(view.getShape(), getPermutation()),
                    view.getElementType(), applyPermutation(view.getStrides(), getPermutation()));
  if (getType() != expected)
    return emitOpError() << "makes " << getType() << " of " << view << "; permuted by ["
                         << getPermutation() << "] it is " << expected;
  return success();
}

/// What view_load and view_store share.
static LogicalResult verifyViewAccess(Operation *op, ViewType view, size_t offsets,
                                      StringRef tileName, Type tile,
                                      std::optional<ArrayRef<bool>> inBounds) {
  size_t rank = view.getRank();
  if (offsets != rank)
    return op->emitOpError() << "has " << offsets << " offsets for a view of rank " << rank
                             << "; there is one an axis";
  if (shapeOf(tile).size() != rank)
    return op->emitOpError() << tileName << " has rank " << shapeOf(tile).size()
                             << " and the view rank " << rank
                             << "; they are equal, and a view of rank 0 holds a scalar";
  if (elementTypeOf(tile) != view.getElementType())
    return op->emitOpError() << tileName << " holds " << elementTypeOf(tile) << " and the view "
                             << view.getElementType()
                             << "; memory is read and written as what it holds";
  if (inBounds && inBounds->size() != rank)
    return op->emitOpError() << "in_bounds has " << inBounds->size()
                             << " entries for a view of rank " << rank << "; there is one an axis";
  return success();
}

LogicalResult ViewLoadOp::verify() {
  if (failed(verifyViewAccess(*this, getView().getType(), getOffsets().size(), "result", getType(),
                              getInBounds())))
    return failure();
  if (getFill())
    return verifySameElement(*this, "fill", getFill().getType(), "result", getType());
  return success();
}

LogicalResult ViewStoreOp::verify() {
  if (failed(verifyViewAccess(*this, getView().getType(), getOffsets().size(), "value",
                              getValue().getType(), getInBounds())))
    return failure();
  Value root = getView();
  while (Operation *def = root.getDefiningOp()) {
    if (!isa<ViewAtOp, ViewTransposeOp>(def))
      return success();
    root = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(root);
  auto function = dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock())
    return success();
  auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), roleAttrName);
  if (role && role.getValue() == "in")
    return emitOpError() << "writes to argument " << argument.getArgNumber()
                         << ", whose role is \"in\"; \"out\" and \"inout\" are written to";
  return success();
}

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
  else if (isa<Float16Type, BFloat16Type, Float32Type>(element))
    wanted = builder.getF32Type();
  if (!wanted || rhs.getElementType() != element)
    return emitOpError() << "multiplies " << element << " by " << rhs.getElementType()
                         << "; both are f16, both bf16, both f32, both f64 or both i8";
  if (acc.getElementType() != wanted)
    return emitOpError() << "accumulates in " << acc.getElementType() << "; products of " << element
                         << " are summed in " << wanted;
  if (getPrecision() == Precision::Tf32 && !element.isF32())
    return emitOpError() << "asks for tf32 with operands of " << element << "; it is for f32";
  if ((getUnsignedLhs() || getUnsignedRhs()) && !element.isInteger())
    return emitOpError() << "has unsigned operands of " << element << "; only i8 may be unsigned";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (getSources().empty())
    return emitOpError() << "has no source; it reduces one or more";
  auto first = cast<RankedTensorType>(getSources().front().getType());
  if (failed(verifyAxis(*this, getAxis(), first.getRank())))
    return failure();
  if (getNumResults() != getSources().size())
    return emitOpError() << "has " << getSources().size() << " sources and " << getNumResults()
                         << " results; there is one result a source";
  SmallVector<int64_t> shape(first.getShape());
  shape.erase(shape.begin() + getAxis());
  for (auto [index, source, result] : llvm::enumerate(getSources(), getResults())) {
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getShape() != first.getShape())
      return emitOpError() << "source " << index << " is " << type << " and source 0 is " << first
                           << "; all sources have one shape";
    Type expected = tileOrScalar(shape, type.getElementType());
    if (result.getType() != expected)
      return emitOpError() << "result " << index << " is " << result.getType() << "; " << type
                           << " reduced along axis " << getAxis() << " is " << expected;
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  Block &block = getCombine().front();
  size_t count = getSources().size();
  if (block.getNumArguments() != 2 * count)
    return emitOpError() << "has a combine region with " << block.getNumArguments()
                         << " arguments; " << count << " sources need " << 2 * count
                         << ": a value of each, then the other value of each";
  for (auto [index, argument] : llvm::enumerate(block.getArguments())) {
    Type element = elementTypeOf(getSources()[index % count].getType());
    if (argument.getType() != element)
      return emitOpError() << "has a combine region whose argument " << index << " is "
                           << argument.getType() << "; source " << index % count << " holds "
                           << element;
  }
  for (Operation &op : block.without_terminator()) {
    if (!isPure(&op) ||
        (!OpTrait::hasElementwiseMappableTraits(&op) && !op.hasTrait<OpTrait::ConstantLike>()))
      return (emitOpError() << "combines with '" << op.getName()
                            << "'; a combine region holds pure elementwise operations")
                 .attachNote(op.getLoc())
             << "it is here";
    for (Type type : llvm::concat<const Type>(llvm::to_vector(op.getOperandTypes()),
                                              llvm::to_vector(op.getResultTypes())))
      if (!isNumber(type))
        return (emitOpError() << "combines with a value of type " << type
                              << "; a combine region computes on scalars")
                   .attachNote(op.getLoc())
               << "it is here";
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitOpError() << "has a combine region that ends with '" << block.back().getName()
                         << "'; it ends with tile.yield";
  if (yield.getNumOperands() != count)
    return yield.emitOpError() << "yields " << yield.getNumOperands() << " values; " << count
                               << " sources need " << count;
  for (auto [index, value] : llvm::enumerate(yield.getValues())) {
    Type element = elementTypeOf(getSources()[index].getType());
    if (value.getType() != element)
      return yield.emitOpError() << "yields " << value.getType() << " for source " << index
                                 << ", which holds " << element;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Memory effects
//===----------------------------------------------------------------------===//

// No value is named: two arguments may address the same memory.
using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void LoadOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Read::get()); }
void ViewLoadOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Read::get()); }
void StoreOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Write::get()); }
void ViewStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

} // namespace metile::tile
