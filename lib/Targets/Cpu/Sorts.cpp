// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts and histograms. A line is sorted by keys that compare as signed integers, each with its
// index below, so that no two are equal and any network of exchanges is stable; then all sources
// are gathered in the order found.

#include "Targets/Cpu/Emitter.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace metile::cpu {

/// Keys and indices of lanes; keys of up to 32 bits stand above the index in one number.
struct Emitter::SortItem {
  Value order, key; ///< `key` is null where `order` holds both.
};

/// A line in scratch: `count` items, `lanes` of which fit a register.
struct Emitter::SortLine {
  Value order, keys;
  int64_t count, lanes;
};

/// A signed integer of 32 or 64 bits that orders like the elements: NaN above all, zeros equal.
Value Emitter::sortKey(Value value, Type element, bool isUnsigned, bool isDescending) {
  auto typeOf = [&](Type scalar) { return width == 1 ? scalar : Type(vectorOf(scalar, width)); };
  auto number = [&](Type scalar, const APInt &bits) {
    return lanesOf(Piece::lanes(constant(scalar, b.getIntegerAttr(scalar, bits))), scalar);
  };
  Value key;
  if (isa<FloatType>(element)) {
    Type wide = element.isF64() ? element : f32;
    unsigned size = wide.getIntOrFloatBitWidth();
    Type bits = b.getIntegerType(size);
    value = convert(value, wide, false);
    Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    // The sum of -0 and 0 is 0.
    Value plain = arith::AddFOp::create(
        b, loc, value, lanesOf(Piece::lanes(constant(wide, b.getFloatAttr(wide, 0.0))), wide));
    Value raw = arith::BitcastOp::create(b, loc, typeOf(bits), plain);
    Value sign = arith::ShRSIOp::create(b, loc, raw, number(bits, APInt(size, size - 1)));
    Value flipped =
        arith::AndIOp::create(b, loc, sign, number(bits, APInt::getSignedMaxValue(size)));
    key = arith::XOrIOp::create(b, loc, raw, flipped);
    key = arith::SelectOp::create(b, loc, isNaN, number(bits, APInt::getSignedMaxValue(size)), key);
  } else {
    unsigned size = element.getIntOrFloatBitWidth() <= 32 ? 32 : 64;
    Type bits = b.getIntegerType(size);
    key = convert(value, bits, isUnsigned);
    if (isUnsigned && element.getIntOrFloatBitWidth() >= 32)
      key = arith::XOrIOp::create(b, loc, key, number(bits, APInt::getSignedMinValue(size)));
  }
  if (!isDescending)
    return key;
  Type bits = getElementTypeOrSelf(key.getType());
  return arith::XOrIOp::create(b, loc, key,
                               number(bits, APInt::getAllOnes(bits.getIntOrFloatBitWidth())));
}

/// The smaller and the larger of each lane of two sets of items.
std::pair<Emitter::SortItem, Emitter::SortItem> Emitter::exchangeItems(const SortItem &a,
                                                                       const SortItem &z) {
  if (!a.key)
    return {{arith::MinSIOp::create(b, loc, a.order, z.order), {}},
            {arith::MaxSIOp::create(b, loc, a.order, z.order), {}}};
  Value less = arith::CmpIOp::create(b, loc, CmpIPredicate::slt, a.key, z.key);
  Value equal = arith::CmpIOp::create(b, loc, CmpIPredicate::eq, a.key, z.key);
  Value before = arith::CmpIOp::create(b, loc, CmpIPredicate::slt, a.order, z.order);
  less = arith::OrIOp::create(b, loc, less, arith::AndIOp::create(b, loc, equal, before));
  auto select = [&](Value left, Value right) {
    return arith::SelectOp::create(b, loc, less, left, right);
  };
  return {{select(a.order, z.order), select(a.key, z.key)},
          {select(z.order, a.order), select(z.key, a.key)}};
}

Emitter::SortItem Emitter::loadItems(const SortLine &line, Value at, bool isReversed) {
  Type type = line.lanes == 1 ? i64 : Type(vectorOf(i64, line.lanes));
  auto load = [&](Value from) -> Value {
    if (!from)
      return {};
    Value value = LLVM::LoadOp::create(b, loc, type, gep(from, i64, at), 8);
    return isReversed && line.lanes > 1 ? reversed(value) : value;
  };
  return {load(line.order), load(line.keys)};
}

void Emitter::storeItems(const SortLine &line, Value at, const SortItem &items, bool isReversed) {
  auto store = [&](Value to, Value value) {
    if (!to)
      return;
    if (isReversed && line.lanes > 1)
      value = reversed(value);
    LLVM::StoreOp::create(b, loc, value, gep(to, i64, at), 8);
  };
  store(line.order, items.order);
  store(line.keys, items.key);
}

/// Exchanges each lane with lane ^ `partner`; the smaller item goes to the lower lane.
Emitter::SortItem Emitter::exchangeLanes(const SortLine &line, const SortItem &items,
                                         int64_t partner) {
  SmallVector<int64_t> from, isLower;
  for (int64_t lane = 0; lane < line.lanes; ++lane) {
    from.push_back(lane ^ partner);
    isLower.push_back(lane < (lane ^ partner));
  }
  auto shuffled = [&](Value value) -> Value {
    return value ? vector::ShuffleOp::create(b, loc, value, value, from).getResult() : value;
  };
  auto [low, high] = exchangeItems(items, {shuffled(items.order), shuffled(items.key)});
  Value mask = table(i1, isLower);
  auto blend = [&](Value left, Value right) -> Value {
    return left ? arith::SelectOp::create(b, loc, mask, left, right).getResult() : left;
  };
  return {blend(low.order, high.order), blend(low.key, high.key)};
}

/// A bitonic network whose first exchange at each size mirrors the second half, so that all lines
/// ascend. Distances within a register are unrolled; all others are loops, whatever the size.
void Emitter::sortLine(const SortLine &line) {
  int64_t lanes = line.lanes;
  auto registers = [&](llvm::function_ref<SortItem(SortItem)> change) {
    loop({}, constant(line.count), lanes, {}, [&](Value at, ValueRange) {
      storeItems(line, at, change(loadItems(line, at, false)), false);
      return SmallVector<Value>();
    });
  };
  auto halve = [&](SortItem items, int64_t distance) {
    for (; distance > 0; distance /= 2)
      items = exchangeLanes(line, items, distance);
    return items;
  };
  if (lanes > 1)
    registers([&](SortItem items) {
      for (int64_t size = 2; size <= lanes; size *= 2)
        items = halve(exchangeLanes(line, items, size - 1), size / 4);
      return items;
    });
  // Exchanges `first` + i with the item at the same distance from the other end of the pair.
  auto pairs = [&](Value logHalf, bool isMirrored) {
    loop({}, constant(line.count / 2), lanes, {}, [&](Value index, ValueRange) {
      Value half = arith::ShLIOp::create(b, loc, constant(1), logHalf);
      Value block = arith::ShRUIOp::create(b, loc, index, logHalf);
      Value inside = sub(index, arith::ShLIOp::create(b, loc, block, logHalf));
      Value start = arith::ShLIOp::create(b, loc, block, add(logHalf, constant(1)));
      Value first = add(start, inside);
      Value second = isMirrored ? sub(add(start, add(half, half)), add(inside, constant(lanes)))
                                : add(first, half);
      auto [low, high] =
          exchangeItems(loadItems(line, first, false), loadItems(line, second, isMirrored));
      storeItems(line, first, low, false);
      storeItems(line, second, high, isMirrored);
      return SmallVector<Value>();
    });
  };
  int64_t logLanes = llvm::Log2_64(lanes), logCount = llvm::Log2_64(line.count);
  loop(constant(logLanes), constant(logCount), 1, {}, [&](Value logHalf, ValueRange) {
    pairs(logHalf, true);
    loop({}, sub(logHalf, constant(logLanes)), 1, {}, [&](Value step, ValueRange) {
      pairs(sub(sub(logHalf, constant(1)), step), false);
      return SmallVector<Value>();
    });
    if (lanes > 1)
      registers([&](SortItem items) { return halve(items, lanes / 2); });
    return SmallVector<Value>();
  });
}

void Emitter::emitSort(tile::SortOp op) {
  flush();
  unsigned axis = op.getAxis();
  ArrayRef<int64_t> shape = tile::shapeOf(op.getSources()[0].getType());
  ArrayRef<int64_t> kept = tile::shapeOf(op.getResults()[0].getType());
  Type element = tile::elementTypeOf(op.getSources()[0].getType());
  bool isUnsigned = op.getIsUnsigned() || element == i1;
  SmallVector<Buffer> sources, targets;
  for (Value result : op.getResults())
    targets.push_back(
        allocate(kept, tile::elementTypeOf(result.getType()), nameOf(result, "sorted")));
  int64_t mark = arena.mark();
  for (Value source : op.getSources()) {
    if (auto it = buffers.find(source); it != buffers.end()) {
      sources.push_back(it->second);
      continue;
    }
    sources.push_back(allocate(shape, tile::elementTypeOf(source.getType()), "unsorted"));
    keep(source, &sources.back());
  }
  flush();

  SortLine line;
  line.count = shape[axis];
  line.lanes = plan.scratchEverything ? 1 : std::min<int64_t>(line.count, target.vectorBytes / 8);
  line.order = scratchPointer(line.count, i64, "order");
  if (element.getIntOrFloatBitWidth() == 64)
    line.keys = scratchPointer(line.count, i64, "keys");
  unsigned table = line.lanes > 1 ? consecutiveLanes(line.lanes) : 0;
  auto typeOf = [&](Type scalar) { return width == 1 ? scalar : Type(vectorOf(scalar, width)); };
  auto fill = [&](Coords coords, Value base) {
    coords[axis] = {base, 0, table};
    Value value = lanesOf(read(bufferAddress(sources[0], coords), element, {}, nullptr), element);
    Value key = sortKey(value, element, isUnsigned, op.getDescending());
    Value index = lanesOf(coordPiece(coords[axis], 0), i64);
    if (line.keys)
      return storeItems(line, base, {index, key}, false);
    Value high = arith::ShLIOp::create(b, loc, arith::ExtSIOp::create(b, loc, typeOf(i64), key),
                                       lanesOf(Piece::lanes(constant(32)), i64));
    storeItems(line, base, {arith::OrIOp::create(b, loc, high, index), {}}, false);
  };
  auto gather = [&](Coords coords, Value base) {
    Value index = loadItems(line, base, false).order;
    if (!line.keys)
      index =
          arith::AndIOp::create(b, loc, index, lanesOf(Piece::lanes(constant(0xffffffff)), i64));
    Coords from = coords, to = coords;
    from[axis] = {};
    to[axis] = {base, 0, table};
    for (auto [source, destination] : llvm::zip(sources, targets)) {
      Address address = bufferAddress(source, from);
      Value scaled = arith::MulIOp::create(
          b, loc, index, lanesOf(Piece::lanes(constant(source.strides[axis])), i64));
      address.offset = addPieces(address.offset, Piece::lanes(scaled));
      write(bufferAddress(destination, to), read(address, source.element, {}, nullptr),
            source.element, {});
    }
  };
  auto along = [&](int64_t extent, llvm::function_ref<void(Value)> body) {
    if (extent == width)
      return body(constant(0));
    loop({}, constant(extent), width, {}, [&](Value base, ValueRange) {
      body(base);
      return SmallVector<Value>();
    });
  };
  Coords coords(shape.size());
  std::function<void(unsigned)> lines = [&](unsigned next) {
    if (next == axis)
      return lines(next + 1);
    if (next < shape.size()) {
      if (shape[next] == 1)
        return lines(next + 1);
      loop({}, constant(shape[next]), 1, {}, [&](Value index, ValueRange) {
        coords[next] = {index, 0, 0};
        lines(next + 1);
        return SmallVector<Value>();
      });
      return;
    }
    width = line.lanes;
    along(line.count, [&](Value base) { fill(coords, base); });
    sortLine(line);
    // The last register may hold more than is kept.
    width = std::min(line.lanes, kept[axis]);
    int64_t lanes = std::exchange(line.lanes, width);
    table = width > 1 ? consecutiveLanes(width) : 0;
    along(kept[axis], [&](Value base) { gather(coords, base); });
    line.lanes = lanes;
    table = lanes > 1 ? consecutiveLanes(lanes) : 0;
    width = 1;
  };
  lines(0);
  arena.release(mark);
  for (auto [result, buffer] : llvm::zip(op.getResults(), targets))
    buffers[result] = buffer;
}

/// One counter more than there are bins takes what names none of them.
void Emitter::emitHistogram(tile::HistogramOp op) {
  flush();
  int64_t bins = tile::shapeOf(op.getType())[0];
  Buffer counts = allocate({bins + 1}, i32, nameOf(op.getResult(), "counts"));
  int64_t mark = arena.mark();
  LLVM::MemsetOp::create(b, loc, counts.pointer, constant(i8, b.getI8IntegerAttr(0)),
                         constant(4 * (bins + 1)), false);
  Value source = op.getSource();
  auto count = [&](const Coords &coords) {
    Type element = tile::elementTypeOf(source.getType());
    Value number = convert(lanesOf(evaluate(source, coords), element), i64, false);
    Value limit = lanesOf(Piece::lanes(constant(bins)), i64);
    Value counted = arith::CmpIOp::create(b, loc, CmpIPredicate::ult, number, limit);
    if (op.getMask())
      counted = land(counted, lanesOf(evaluate(op.getMask(), coords), i1));
    Value bin = arith::SelectOp::create(b, loc, counted, number, limit);
    forEachLane({Piece::lanes(bin)}, {i64}, [&](Value, ArrayRef<Value> elements) {
      Value counter = gep(counts.pointer, i32, elements[0]);
      Value old = LLVM::LoadOp::create(b, loc, i32, counter, 4);
      Value one = constant(i32, b.getI32IntegerAttr(1));
      LLVM::StoreOp::create(b, loc, arith::AddIOp::create(b, loc, old, one), counter, 4);
    });
  };
  ArrayRef<int64_t> shape = tile::shapeOf(source.getType());
  visitTile(op, shape, chooseLaneAxis(source, nullptr, shape), count);
  arena.release(mark);
  buffers[op.getResult()] = counts;
}

} // namespace metile::cpu
