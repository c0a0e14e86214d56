// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Types.h"

#include "Dialect/Tile/Tile.h"

using namespace mlir;

namespace metile::interpreter {

Shape shapeOf(Type type) { return tile::shapeOf(type).vec(); }

bool isFloat(Type type) { return isa<FloatType>(tile::elementTypeOf(type)); }

FloatFormat formatOf(Type type) {
  Type element = tile::elementTypeOf(type);
  if (element.isF64())
    return float64;
  if (element.isF32())
    return float32;
  if (element.isF16())
    return float16;
  if (element.isBF16())
    return bfloat16;
  assert((isa<Float8E5M2Type, Float8E4M3FNType>(element)) && "no float type of the language");
  return isa<Float8E5M2Type>(element) ? float8e5m2 : float8e4m3;
}

unsigned widthOf(Type type) { return tile::elementTypeOf(type).getIntOrFloatBitWidth(); }

unsigned bytesOf(Type type) { return (widthOf(type) + 7) / 8; }

uint64_t toMemory(const Element &element, Type type) {
  return isFloat(type) ? encode(element.real, formatOf(type)) : element.bits;
}

Element fromMemory(uint64_t bits, Type type) {
  if (isFloat(type))
    return {0, decode(bits, formatOf(type)), -1};
  if (widthOf(type) == 1)
    return {uint64_t(bits != 0), 0, -1};
  return {bits, 0, -1};
}

} // namespace metile::interpreter
