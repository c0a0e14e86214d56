// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations. Programs run one after another here, so every order of memory holds by itself.

#include "Interpreter/Execution.h"

#include <algorithm>

using namespace mlir;

namespace metile::interpreter {

/// What an atomic operation leaves where `before` stood.
static Element updated(tile::AtomicKind kind, bool isUnsigned, Type type, const Element &before,
                       const Element &operand) {
  if (kind == tile::AtomicKind::Xchg)
    return operand;
  if (isFloat(type)) {
    double a = before.real, b = operand.real;
    return {0,
            kind == tile::AtomicKind::Add   ? roundTo(a + b, formatOf(type))
            : kind == tile::AtomicKind::Max ? maximum(a, b)
                                            : minimum(a, b),
            -1};
  }
  unsigned width = widthOf(type);
  uint64_t a = before.bits, b = operand.bits;
  bool isLess = isUnsigned ? a < b : asSigned(a, width) < asSigned(b, width);
  switch (kind) {
  case tile::AtomicKind::Add:
    return {wrap(a + b, width), 0, -1};
  case tile::AtomicKind::Max:
    return isLess ? operand : before;
  case tile::AtomicKind::Min:
    return isLess ? before : operand;
  case tile::AtomicKind::And:
    return {a & b, 0, -1};
  case tile::AtomicKind::Or:
    return {a | b, 0, -1};
  case tile::AtomicKind::Xor:
    return {a ^ b, 0, -1};
  case tile::AtomicKind::Xchg:
    break;
  }
  return operand;
}

void Execution::atomicRmw(tile::AtomicRmwOp op) {
  const Tile &pointers = get(op.getPtr()), &operands = get(op.getValue());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  Type type = op.getType();
  Tile result(pointers.shape);
  for (int64_t i = 0; i < result.count(); ++i) {
    if (mask && !(*mask)[i].bits)
      continue;
    Access access{op, &program, pointers[i].argument, pointers[i].bits, bytesOf(type)};
    uint64_t before = memory.update(access, [&](uint64_t bits) {
      return toMemory(
          updated(op.getKind(), op.getIsUnsigned(), type, fromMemory(bits, type), operands[i]),
          type);
    });
    result[i] = fromMemory(before, type);
  }
  set(op.getResult(), std::move(result));
}

void Execution::atomicCas(tile::AtomicCasOp op) {
  const Tile &pointers = get(op.getPtr());
  const Tile &expected = get(op.getExpected()), &desired = get(op.getDesired());
  const Tile *mask = op.getMask() ? &get(op.getMask()) : nullptr;
  Type type = op.getType();
  Tile result(pointers.shape);
  for (int64_t i = 0; i < result.count(); ++i) {
    if (mask && !(*mask)[i].bits)
      continue;
    Access access{op, &program, pointers[i].argument, pointers[i].bits, bytesOf(type)};
    uint64_t before = memory.update(access, [&](uint64_t bits) {
      return bits == toMemory(expected[i], type) ? toMemory(desired[i], type) : bits;
    });
    result[i] = fromMemory(before, type);
  }
  set(op.getResult(), std::move(result));
}

} // namespace metile::interpreter
