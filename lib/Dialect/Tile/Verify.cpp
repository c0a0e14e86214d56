// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a well-formed tile program is. Messages say what was found and what is allowed.

#include "Dialect/Tile/Verify.h"

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

bool isNumber(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type, Float32Type, Float64Type>(
      type);
}

static constexpr StringLiteral numberTypes =
    "i1, i8, i16, i32, i64, f8E4M3FN, f8E5M2, f16, bf16, f32 and f64";

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

bool haveSameShape(Type a, Type b) {
  return isa<RankedTensorType>(a) == isa<RankedTensorType>(b) &&
         isa<VectorType>(a) == isa<VectorType>(b) && shapeOf(a) == shapeOf(b);
}

LogicalResult verifySameShape(Operation *op, StringRef aName, Type a, StringRef bName, Type b) {
  if (haveSameShape(a, b))
    return success();
  return op->emitOpError() << aName << " is " << a << " and " << bName << " is " << b
                           << "; both have one shape";
}

LogicalResult verifySameElement(Operation *op, StringRef aName, Type a, StringRef bName, Type b) {
  Type aElement = elementTypeOf(a), bElement = elementTypeOf(b);
  if (aElement == bElement)
    return success();
  return op->emitOpError() << aName << " holds " << aElement << " and " << bName << " holds "
                           << bElement << "; both hold the same type";
}

LogicalResult verifyAxis(Operation *op, int64_t axis, int64_t rank) {
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

/// Floats of 8 bits are for storage: arith and math compute on what they widen to.
static LogicalResult verifyNoFloat8Arithmetic(Operation *op) {
  if (isa<arith::ConstantOp, arith::SelectOp, arith::ExtFOp, arith::BitcastOp>(op) ||
      !OpTrait::hasElementwiseMappableTraits(op) || isa<TileDialect>(op->getDialect()))
    return success();
  for (Type type : op->getOperandTypes())
    if (isFloat8(elementTypeOf(type)))
      return op->emitOpError() << "computes on " << type
                               << "; floats of 8 bits are for storage, arith.extf widens them";
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
    return failed(verifyTiles(inner)) || failed(verifyNoFloat8Arithmetic(inner))
               ? WalkResult::interrupt()
               : WalkResult::advance();
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

LogicalResult JoinOp::verify() {
  SmallVector<int64_t> shape(shapeOf(getLhs().getType()));
  shape.push_back(2);
  auto expected = RankedTensorType::get(shape, elementTypeOf(getLhs().getType()));
  if (getType() != expected)
    return emitOpError() << "makes " << getType() << " of two of " << getLhs().getType()
                         << "; it makes " << expected;
  return success();
}

LogicalResult SplitOp::verify() {
  RankedTensorType source = getSource().getType();
  if (source.getShape().back() != 2)
    return emitOpError() << "splits " << source << ", whose last axis has extent "
                         << source.getShape().back() << "; it has extent 2";
  Type expected = tileOrScalar(source.getShape().drop_back(), source.getElementType());
  if (getLhs().getType() != expected)
    return emitOpError() << "makes " << getLhs().getType() << " of " << source
                         << "; it makes two of " << expected;
  return success();
}

LogicalResult FlipOp::verify() { return verifyAxis(*this, getAxis(), getType().getRank()); }

LogicalResult GatherOp::verify() {
  RankedTensorType source = getSource().getType(), index = getIndex().getType();
  if (source.getRank() != index.getRank())
    return emitOpError() << "picks from " << source << " by " << index
                         << "; source and indices have one rank";
  if (failed(verifyAxis(*this, getAxis(), source.getRank())))
    return failure();
  for (auto [axis, from, at] : llvm::enumerate(source.getShape(), index.getShape()))
    if (from != at && axis != getAxis())
      return emitOpError() << "has extent " << from << " in the source and " << at
                           << " in the indices on axis " << axis
                           << "; they differ on the gathered axis alone";
  auto expected = RankedTensorType::get(index.getShape(), source.getElementType());
  if (getType() != expected)
    return emitOpError() << "makes " << getType() << " of " << source << "; it makes " << expected;
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

/// What is true of `value` for every atomic operation.
static LogicalResult verifyAtomicValue(Operation *op, Value ptr, StringRef valueName, Value value,
                                       Value mask) {
  if (failed(verifyAccess(op, ptr, valueName, value.getType(), mask)))
    return failure();
  if (isFloat8(elementTypeOf(value.getType())))
    return op->emitOpError() << "updates " << elementTypeOf(value.getType())
                             << "; floats of 8 bits are for storage";
  return success();
}

LogicalResult AtomicRmwOp::verify() {
  if (failed(verifyAtomicValue(*this, getPtr(), "value", getValue(), getMask())))
    return failure();
  Type element = elementTypeOf(getType());
  AtomicKind kind = getKind();
  bool isBitwise = llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor}, kind);
  if (isBitwise && !element.isInteger())
    return emitOpError() << "combines bits of " << element << "; and, or and xor are for integers";
  if (element.isInteger(1) && !isBitwise && kind != AtomicKind::Xchg)
    return emitOpError() << "has kind " << stringifyAtomicKind(kind)
                         << " on i1; allowed are and, or, xor and xchg";
  if (getIsUnsigned() &&
      (!element.isInteger() || (kind != AtomicKind::Max && kind != AtomicKind::Min)))
    return emitOpError() << "is unsigned with kind " << stringifyAtomicKind(kind) << " on "
                         << element << "; max and min of integers may be";
  return success();
}

LogicalResult AtomicCasOp::verify() {
  return verifyAtomicValue(*this, getPtr(), "desired", getDesired(), getMask());
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

/// What all accesses to a tile of a view share.
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

LogicalResult ViewPointersOp::verify() {
  ViewType view = getView().getType();
  if (failed(
          verifySameShape(*this, "pointer", getPtr().getType(), "inside", getInside().getType())))
    return failure();
  Type pointee = cast<PtrType>(elementTypeOf(getPtr().getType())).getElementType();
  return verifyViewAccess(*this, view, getOffsets().size(), "pointer",
                          tileOrScalar(shapeOf(getPtr().getType()), pointee), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  if (std::optional<ArrayRef<bool>> flags = getIsUnsigned();
      flags && flags->size() != getValues().size())
    return emitOpError() << "has " << flags->size() << " flags in isUnsigned; one a value, so "
                         << getValues().size();
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
void AtomicRmwOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
void AtomicCasOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

// What is shown must not move past what it shows.
void PrintOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Write::get()); }
void AssertOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Write::get()); }
void ProbeOp::getEffects(Effects &effects) { effects.emplace_back(MemoryEffects::Write::get()); }

} // namespace metile::tile
