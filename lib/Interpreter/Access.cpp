// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers, views, loads and stores.

#include "Interpreter/Execution.h"

using namespace mlir;

namespace metile::interpreter {

/// Bytes of one element in memory.
static unsigned bytesOf(Type type) { return (widthOf(type) + 7) / 8; }

static uint64_t toMemory(const Element &element, Type type) {
  return isFloat(type) ? encode(element.real, formatOf(type)) : element.bits;
}

static Element fromMemory(uint64_t bits, Type type) {
  if (isFloat(type))
    return {0, decode(bits, formatOf(type)), -1};
  if (widthOf(type) == 1)
    return {uint64_t(bits != 0), 0, -1};
  return {bits, 0, -1};
}

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
  Type type = tile::elementTypeOf(op.getType());
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
  Type type = tile::elementTypeOf(op.getValue().getType());
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

/// The elements of a tile in a view: which have memory behind them, and where.
class Window {
public:
  Window(const View &view, std::vector<int64_t> offsets, std::optional<ArrayRef<bool>> inBounds,
         unsigned elementBytes)
      : view(view), offsets(std::move(offsets)), inBounds(inBounds), elementBytes(elementBytes) {}

  /// The address of the element at `place` of the tile; none if it is outside the view. An axis
  /// that is left although the operation says it is not goes into `crossed`.
  std::optional<uint64_t> address(const Shape &place, std::optional<size_t> &crossed) const {
    int64_t distance = 0;
    bool isInside = !view.isOutside;
    for (size_t axis = 0; axis < place.size(); ++axis) {
      int64_t at = 0;
      bool overflows = __builtin_add_overflow(offsets[axis], place[axis], &at);
      if (overflows || at < 0 || at >= view.sizes[axis]) {
        isInside = false;
        if (inBounds && (*inBounds)[axis])
          crossed = axis;
      } else {
        distance += at * view.strides[axis];
      }
    }
    if (!isInside)
      return std::nullopt;
    return view.address + static_cast<uint64_t>(distance) * elementBytes;
  }

private:
  const View &view;
  std::vector<int64_t> offsets;
  std::optional<ArrayRef<bool>> inBounds;
  unsigned elementBytes;
};

} // namespace

static void addCrossing(Findings &findings, Operation *op, const Program &program, const View &view,
                        StringRef argument, size_t axis) {
  findings.add(Findings::Kind::crossesEdge, op, view.argument, [&]() -> Diagnostic {
    return {{},
            describe(program) + " crosses the edge of '" + argument.str() + "' along axis " +
                std::to_string(axis) + ", which has " + std::to_string(view.sizes[axis]) +
                " elements",
            "in_bounds says that it never does",
            ""};
  });
}

/// Calls visit(i, access) for each element i of a tile of `shape` that has memory in the view;
/// `op` is a load or store of the view.
template <class OpTy, class Visit>
static void visitElements(OpTy op, const View &view, const Shape &shape, Type type,
                          std::vector<int64_t> offsets, const Program &program,
                          const LoadedKernel &kernel, Findings &findings, Visit visit) {
  Window window(view, std::move(offsets), op.getInBounds(), bytesOf(type));
  for (int64_t i = 0; i < countOf(shape); ++i) {
    std::optional<size_t> crossed;
    std::optional<uint64_t> address = window.address(placeOf(i, shape), crossed);
    if (crossed)
      addCrossing(findings, op, program, view,
                  kernel.arguments[static_cast<size_t>(view.argument)].name, *crossed);
    if (address)
      visit(i, Access{op, &program, view.argument, *address, bytesOf(type)});
  }
}

void Execution::viewLoad(tile::ViewLoadOp op) {
  Type type = tile::elementTypeOf(op.getType());
  Tile result(shapeOf(op.getType()), op.getFill() ? get(op.getFill()).scalar() : Element());
  visitElements(
      op, views[op.getView()], result.shape, type, integers(op.getOffsets()), program, kernel,
      findings,
      [&](int64_t i, const Access &access) { result[i] = fromMemory(memory.read(access), type); });
  set(op.getResult(), std::move(result));
}

void Execution::viewStore(tile::ViewStoreOp op) {
  const Tile &values = get(op.getValue());
  Type type = tile::elementTypeOf(op.getValue().getType());
  visitElements(op, views[op.getView()], values.shape, type, integers(op.getOffsets()), program,
                kernel, findings, [&](int64_t i, const Access &access) {
                  memory.write(access, toMemory(values[i], type));
                });
}

} // namespace metile::interpreter
