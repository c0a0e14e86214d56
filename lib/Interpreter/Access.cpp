// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, views, loads and stores.

#include "Interpreter/Execution.h"

#include "Support/ProgramId.h"

using namespace mlir;

namespace metile::interpreter {

//===--- Pointers ---===//

/// The type of what pointers of `type` point to.
static Type pointeeOf(Type type) {
  return cast<tile::PtrType>(tile::elementTypeOf(type)).getElementType();
}

void Execution::advance(tile::AddPtrOp op) {
  Tile result = get(op.getPtr());
  const Tile &offsets = get(op.getOffset());
  unsigned width = widthOf(op.getOffset().getType()), size = bytesOf(pointeeOf(op.getType()));
  for (int64_t i = 0; i < result.count(); ++i)
    result[i].bits += static_cast<uint64_t>(asSigned(offsets[i].bits, width)) * size;
  set(op.getResult(), std::move(result));
}

void Execution::load(tile::LoadOp op) {
  const Tile &pointers = get(op.getPtr());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  const Tile *other = op.getOther() ? &get(op.getOther()) : nullptr;
  Type type = op.getType();
  Tile result(pointers.shape);
  for (int64_t i = 0; i < result.count(); ++i)
    if (!mask || (*mask)[i].bits)
      result[i] = fromMemory(
          memory.read({op, &program, pointers[i].argument, pointers[i].bits, bytesOf(type)}), type);
    else if (other)
      result[i] = (*other)[i];
  set(op.getResult(), std::move(result));
}

void Execution::store(tile::StoreOp op) {
  const Tile &pointers = get(op.getPtr()), &values = get(op.getValue());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  Type type = op.getValue().getType();
  for (int64_t i = 0; i < values.count(); ++i)
    if (!mask || (*mask)[i].bits)
      memory.write({op, &program, pointers[i].argument, pointers[i].bits, bytesOf(type)},
                   toMemory(values[i], type));
}

//===--- Views ---===//

void Execution::viewSize(tile::ViewSizeOp op) {
  int64_t size = views[op.getView()].sizes[op.getAxis()];
  set(op.getResult(), Tile(Element{static_cast<uint64_t>(size), 0, -1}));
}

void Execution::viewStride(tile::ViewStrideOp op) {
  int64_t stride = views[op.getView()].strides[op.getAxis()];
  set(op.getResult(), Tile(Element{static_cast<uint64_t>(stride), 0, -1}));
}

void Execution::viewAt(tile::ViewAtOp op) {
  View view = views[op.getView()];
  unsigned size = bytesOf(op.getView().getType().getElementType());
  for (Value value : op.getIndices()) {
    int64_t index = integer(value);
    if (index < 0 || index >= view.sizes.front())
      view.isOutside = true;
    else
      view.address += static_cast<uint64_t>(index * view.strides.front()) * size;
    view.sizes.erase(view.sizes.begin());
    view.strides.erase(view.strides.begin());
  }
  views[op.getResult()] = std::move(view);
}

void Execution::viewTranspose(tile::ViewTransposeOp op) {
  const View source = views[op.getView()];
  View result = source;
  for (auto [axis, from] : llvm::enumerate(op.getPermutation())) {
    result.sizes[axis] = source.sizes[static_cast<size_t>(from)];
    result.strides[axis] = source.strides[static_cast<size_t>(from)];
  }
  views[op.getResult()] = std::move(result);
}

namespace {

/// Where an element of a tile lies that is placed in a view.
struct Spot {
  uint64_t address = 0;
  SmallVector<size_t, 4> outside; ///< The axes along which it lies outside the view.
};

} // namespace

/// The element at `place` of a tile that starts at `offsets`.
static Spot locate(const View &view, ArrayRef<int64_t> offsets, const Shape &place,
                   unsigned elementBytes) {
  Spot spot{view.address, {}};
  for (size_t axis = 0; axis < place.size(); ++axis) {
    uint64_t at = static_cast<uint64_t>(offsets[axis]) + static_cast<uint64_t>(place[axis]);
    // As an unsigned number what lies before the view is as far out as what lies behind it.
    if (at >= static_cast<uint64_t>(view.sizes[axis]))
      spot.outside.push_back(axis);
    spot.address += at * static_cast<uint64_t>(view.strides[axis]) * elementBytes;
  }
  return spot;
}

void Execution::visitView(Operation *op, Value viewValue, ValueRange offsetValues,
                          std::optional<ArrayRef<bool>> inBounds, Type tileType,
                          llvm::function_ref<void(int64_t, const Access &)> visit) {
  const View &view = views[viewValue];
  std::vector<int64_t> offsets = integers(offsetValues);
  Shape shape = shapeOf(tileType);
  for (int64_t i = 0; i < countOf(shape); ++i) {
    Spot spot = locate(view, offsets, placeOf(i, shape), bytesOf(tileType));
    if (!view.isOutside && spot.outside.empty())
      visit(i, {op, &program, view.argument, spot.address, bytesOf(tileType)});
    for (size_t axis : spot.outside)
      if (inBounds && (*inBounds)[axis])
        findings.add(Findings::Kind::crossesEdge, op, view.argument, [&]() -> Diagnostic {
          const std::string &name = kernel.arguments[static_cast<size_t>(view.argument)].name;
          return {{},
                  programName(program.id) + " crosses the edge of '" + name + "' along axis " +
                      std::to_string(axis) + ", which has " + std::to_string(view.sizes[axis]) +
                      " elements",
                  "in_bounds says that it never does",
                  ""};
        });
  }
}

void Execution::viewLoad(tile::ViewLoadOp op) {
  Type type = op.getType();
  Tile result(shapeOf(type), op.getFill() ? get(op.getFill()).scalar() : Element());
  visitView(
      op, op.getView(), op.getOffsets(), op.getInBounds(), type,
      [&](int64_t i, const Access &access) { result[i] = fromMemory(memory.read(access), type); });
  set(op.getResult(), std::move(result));
}

void Execution::viewStore(tile::ViewStoreOp op) {
  const Tile &values = get(op.getValue());
  Type type = op.getValue().getType();
  visitView(
      op, op.getView(), op.getOffsets(), op.getInBounds(), type,
      [&](int64_t i, const Access &access) { memory.write(access, toMemory(values[i], type)); });
}

void Execution::viewPointers(tile::ViewPointersOp op) {
  const View &view = views[op.getView()];
  std::vector<int64_t> offsets = integers(op.getOffsets());
  unsigned size = bytesOf(pointeeOf(op.getPtr().getType()));
  Tile pointers(shapeOf(op.getPtr().getType())), inside(pointers.shape);
  for (int64_t i = 0; i < pointers.count(); ++i) {
    Spot spot = locate(view, offsets, placeOf(i, pointers.shape), size);
    pointers[i] = {spot.address, 0, view.argument};
    inside[i].bits = !view.isOutside && spot.outside.empty();
  }
  set(op.getPtr(), std::move(pointers));
  set(op.getInside(), std::move(inside));
}

} // namespace metile::interpreter
