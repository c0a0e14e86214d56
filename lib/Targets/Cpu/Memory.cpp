// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of the lanes of a piece.

#include "Targets/Cpu/Emitter.h"

using namespace mlir;

namespace metile::cpu {

/// One address for all lanes.
static bool isShared(const Address &address) {
  return address.offset.isUniform() && !isa<VectorType>(address.pointer.getType());
}

static bool hasStride(const Address &address, int64_t stride) {
  return address.offset.kind == Piece::Kind::affine && !address.offset.strideValue &&
         address.offset.stride == stride && !isa<VectorType>(address.pointer.getType());
}

static bool isContiguous(const Address &address) { return hasStride(address, 1); }

Value Emitter::contiguousPointer(const Address &address) {
  return gep(address.pointer, address.memory, address.offset.value);
}

Value Emitter::pointerVector(const Address &address) {
  Type type = VectorType::get({width}, pointerType);
  if (isShared(address))
    return vector::BroadcastOp::create(b, loc, type, contiguousPointer(address));
  if (address.offset.isUniform() && !address.offset.value)
    return address.pointer;
  Value base = address.pointer;
  Piece offset = address.offset;
  // A shared part of the offset is cheaper to add to a shared pointer.
  if (!isa<VectorType>(base.getType()) && offset.kind == Piece::Kind::affine) {
    base = gep(base, address.memory, offset.value);
    offset.value = {};
  }
  return LLVM::GEPOp::create(b, loc, type, address.memory, base, ValueRange{toVector(offset, i64)});
}

Value Emitter::vectorMask(const Mask &mask) {
  if (mask.vector && mask.scalar)
    return arith::AndIOp::create(b, loc, mask.vector, splat(mask.scalar, width));
  if (mask.vector)
    return mask.vector;
  if (mask.scalar)
    return splat(mask.scalar, width);
  VectorType type = vectorOf(i1, width);
  return constant(type, DenseElementsAttr::get(type, true));
}

Piece Emitter::read(const Address &address, Type element, const Mask &mask, const Piece *other) {
  Type memory = address.memory;
  IntegerAttr alignment = b.getI32IntegerAttr(byteSize(memory));
  Piece piece;
  Value value;
  Type inRegister = registerType(element);
  if (isShared(address) && !mask.vector && (!other || other->isUniform())) {
    auto loadScalar = [&]() -> Value {
      Value raw = LLVM::LoadOp::create(b, loc, memory, contiguousPointer(address),
                                       unsigned(byteSize(memory)));
      if (isStaging)
        raw.getDefiningOp()->setAttr(stagingMark, b.getUnitAttr());
      return convert(raw, inRegister, false);
    };
    if (mask.scalar) {
      auto branch = scf::IfOp::create(b, loc, TypeRange(inRegister), mask.scalar, true, true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(b, loc, loadScalar());
      b.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(b, loc, other ? toScalar(*other, element) : zero(inRegister));
      value = branch.getResult(0);
    } else {
      value = loadScalar();
    }
  } else {
    piece.kind = Piece::Kind::vector;
    VectorType type = vectorOf(memory, width);
    // Lanes that are switched off: `other` as it stands in memory, so that one conversion serves
    // all.
    auto passThrough = [&]() -> Value {
      if (!other)
        return zero(type);
      Value lanes = toVector(*other, element);
      return element == i1 ? convert(lanes, i8, true) : convert(lanes, memory, true);
    };
    bool isBackwards = hasStride(address, -1);
    auto inOrder = [&](Value lanes) { return isBackwards ? reversed(lanes) : lanes; };
    if (isContiguous(address) || isBackwards) {
      Value pointer = gep(contiguousPointer(address), memory, isBackwards ? 1 - width : 0);
      if (mask.isAll())
        value = LLVM::LoadOp::create(b, loc, type, pointer, unsigned(byteSize(memory)));
      else
        value = LLVM::MaskedLoadOp::create(b, loc, type, pointer, inOrder(vectorMask(mask)),
                                           inOrder(passThrough()), alignment);
    } else {
      value = LLVM::masked_gather::create(b, loc, type, pointerVector(address), vectorMask(mask),
                                          ValueRange{passThrough()}, alignment);
    }
    if (isStaging)
      value.getDefiningOp()->setAttr(stagingMark, b.getUnitAttr());
    value = convert(inOrder(value), inRegister, false);
  }
  if (isa<tile::PtrType>(element)) {
    piece.kind = Piece::Kind::uniform;
    piece.pointer = value;
  } else {
    piece.value = value;
  }
  return piece;
}

void Emitter::write(const Address &address, const Piece &value, Type element, const Mask &mask,
                    bool isUnsigned) {
  Type memory = address.memory;
  IntegerAttr alignment = b.getI32IntegerAttr(byteSize(memory));
  if (width == 1 || (isShared(address) && !mask.vector && value.isUniform() && !value.pointer)) {
    auto storeScalar = [&] {
      Value raw = convert(toScalar(value, element), memory, isUnsigned);
      LLVM::StoreOp::create(b, loc, raw, contiguousPointer(address), unsigned(byteSize(memory)));
    };
    if (!mask.scalar) {
      storeScalar();
      return;
    }
    auto branch = scf::IfOp::create(b, loc, mask.scalar, false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    storeScalar();
    return;
  }
  Value raw = convert(toVector(value, element), memory, isUnsigned);
  if (!isContiguous(address)) {
    LLVM::masked_scatter::create(b, loc, raw, pointerVector(address), vectorMask(mask), alignment);
    return;
  }
  Value pointer = contiguousPointer(address);
  if (mask.isAll())
    LLVM::StoreOp::create(b, loc, raw, pointer, unsigned(byteSize(memory)));
  else
    LLVM::MaskedStoreOp::create(b, loc, raw, pointer, vectorMask(mask), alignment);
}

Address Emitter::bufferAddress(const Buffer &buffer, const Coords &coords) {
  Address address{memoryType(buffer.element), buffer.pointer, {}};
  auto scaled = [&](const Coord &coord, int64_t stride) {
    if (!coord.lanes) {
      Piece piece;
      piece.value = mul(coordValue(coord), constant(stride));
      return piece;
    }
    Coord wide = coord;
    wide.base = coord.base ? mul(coord.base, constant(stride)) : Value();
    wide.offset = coord.offset * stride;
    SmallVector<int64_t> lanes;
    for (int64_t lane : lanesOf(coord.lanes))
      lanes.push_back(lane * stride);
    wide.lanes = laneTable(lanes);
    return coordPiece(wide, 0);
  };
  // Lanes of several axes may still be neighbours in memory, so their tables are summed first.
  SmallVector<int64_t> lanes;
  for (auto [axis, coord] : llvm::enumerate(coords)) {
    int64_t stride = buffer.strides[axis];
    if (buffer.panel && axis + 1 == coords.size()) {
      Coord inside = coord;
      int64_t panel = buffer.panel;
      Coord which;
      which.offset = coord.offset / panel;
      inside.offset = coord.offset % panel;
      if (coord.base) {
        // A piece starts at a multiple of its lanes and is no wider than a panel.
        Value start = coordValue(coord);
        which = {arith::ShRUIOp::create(b, loc, start, constant(llvm::Log2_64(panel))), 0, 0};
        inside = {arith::AndIOp::create(b, loc, start, constant(panel - 1)), 0, coord.lanes};
      }
      address.offset = addPieces(address.offset, scaled(which, buffer.panelStride));
      address.offset = addPieces(address.offset, scaled(inside, stride));
      continue;
    }
    if (stride == 0)
      continue;
    if (coord.lanes) {
      ArrayRef<int64_t> own = lanesOf(coord.lanes);
      lanes.resize(own.size());
      for (size_t lane = 0; lane < own.size(); ++lane)
        lanes[lane] += own[lane] * stride;
    }
    Coord shared = coord;
    shared.lanes = 0;
    address.offset = addPieces(address.offset, scaled(shared, stride));
  }
  if (!lanes.empty())
    address.offset = addPieces(address.offset, coordPiece({{}, 0, laneTable(lanes)}, 0));
  return address;
}

Address Emitter::viewAddress(const View &view, ValueRange offsets, const Coords &coords) {
  Address address{memoryType(view.element), view.data, {}};
  for (unsigned axis = 0; axis < coords.size(); ++axis) {
    Piece index = coordPiece(coords[axis], 0);
    Piece offset;
    offset.value = scalarOf(offsets[axis]);
    index = addPieces(index, offset);
    Value stride = view.strides[axis];
    auto number = stride.getDefiningOp<arith::ConstantOp>();
    if (index.kind == Piece::Kind::vector) {
      index.value = arith::MulIOp::create(b, loc, index.value, splat(stride, width));
    } else {
      index.value = mul(index.value, stride);
      if (index.kind == Piece::Kind::affine) {
        if (number)
          index.stride *= cast<IntegerAttr>(number.getValue()).getInt();
        else
          index.strideValue = mul(constant(index.stride), stride);
        if (!index.strideValue && index.stride == 0)
          index.kind = Piece::Kind::uniform;
      }
    }
    address.offset = addPieces(address.offset, index);
  }
  return address;
}

Address Emitter::pointerAddress(Value pointers, const Coords &coords) {
  Piece piece = evaluate(pointers, coords);
  auto type = cast<tile::PtrType>(tile::elementTypeOf(pointers.getType()));
  Address address{memoryType(type.getElementType()), piece.pointer, piece};
  address.offset.pointer = {};
  return address;
}

Piece Emitter::load(Operation *op, const Coords &coords) {
  Type element = tile::elementTypeOf(op->getResult(0).getType());
  if (auto view = dyn_cast<tile::ViewLoadOp>(op)) {
    Mask mask = viewMask(op, coords);
    std::optional<Piece> fill;
    if (view.getFill() && !mask.isAll())
      fill = evaluate(view.getFill(), {});
    return read(viewAddress(views[view.getView()], view.getOffsets(), coords), element, mask,
                fill ? &*fill : nullptr);
  }
  auto pointer = cast<tile::LoadOp>(op);
  Mask mask = pointerMask(op, pointer.getMask(), coords);
  std::optional<Piece> other;
  if (pointer.getOther() && !mask.isAll())
    other = evaluate(pointer.getOther(), isTile(pointer.getOther()) ? coords : Coords());
  return read(pointerAddress(pointer.getPtr(), coords), element, mask, other ? &*other : nullptr);
}

void Emitter::store(Operation *op, const Coords &coords) {
  if (auto view = dyn_cast<tile::ViewStoreOp>(op)) {
    Type element = tile::elementTypeOf(view.getValue().getType());
    Piece value = evaluate(view.getValue(), coords);
    Mask mask = viewMask(op, coords);
    write(viewAddress(views[view.getView()], view.getOffsets(), coords), value, element, mask);
    return;
  }
  auto pointer = cast<tile::StoreOp>(op);
  Type element = tile::elementTypeOf(pointer.getValue().getType());
  Piece value = evaluate(pointer.getValue(), coords);
  Mask mask = pointerMask(op, pointer.getMask(), coords);
  write(pointerAddress(pointer.getPtr(), coords), value, element, mask);
}

} // namespace metile::cpu
