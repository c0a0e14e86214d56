// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, the grid, loops and branches.

#include "Interpreter/Execution.h"

using namespace mlir;

namespace metile::interpreter {

static Element elementOf(const APInt &value) { return {value.getZExtValue(), 0, -1}; }

static Element elementOf(const APFloat &value, Type type) {
  return {0, decode(value.bitcastToAPInt().getZExtValue(), formatOf(type)), -1};
}

void Execution::constant(arith::ConstantOp op) {
  Type type = op.getType();
  Tile result(shapeOf(type));
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) {
    result[0] = elementOf(integer.getValue());
  } else if (auto real = dyn_cast<FloatAttr>(op.getValue())) {
    result[0] = elementOf(real.getValue(), type);
  } else {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    int64_t i = 0;
    if (isFloat(type))
      for (const APFloat &value : dense.getValues<APFloat>())
        result[i++] = elementOf(value, type);
    else
      for (const APInt &value : dense.getValues<APInt>())
        result[i++] = elementOf(value);
  }
  set(op.getResult(), std::move(result));
}

void Execution::programId(tile::ProgramIdOp op) {
  set(op.getResult(), Tile(Element{static_cast<uint64_t>(program.id[op.getAxis()]), 0, -1}));
}

void Execution::numPrograms(tile::NumProgramsOp op) {
  set(op.getResult(), Tile(Element{static_cast<uint64_t>(extents[op.getAxis()]), 0, -1}));
}

void Execution::forLoop(scf::ForOp op) {
  int64_t end = integer(op.getUpperBound()), step = integer(op.getStep());
  unsigned width = widthOf(op.getInductionVar().getType());
  Tiles carried = get(op.getInitArgs());
  for (int64_t i = integer(op.getLowerBound()); i < end;) {
    Tiles arguments{Tile(Element{wrap(static_cast<uint64_t>(i), width), 0, -1})};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    carried = runBlock(*op.getBody(), arguments);
    if (__builtin_add_overflow(i, step, &i))
      break; // The next value lies beyond every end.
  }
  set(op.getResults(), std::move(carried));
}

void Execution::whileLoop(scf::WhileOp op) {
  Tiles carried = get(op.getInits());
  for (;;) {
    Tiles condition = runBlock(op.getBefore().front(), carried);
    bool goesOn = condition.front().scalar().bits != 0;
    condition.erase(condition.begin());
    if (!goesOn)
      return set(op.getResults(), std::move(condition));
    carried = runBlock(op.getAfter().front(), condition);
  }
}

void Execution::branch(scf::IfOp op) {
  bool isTrue = get(op.getCondition()).scalar().bits != 0;
  Region &taken = isTrue ? op.getThenRegion() : op.getElseRegion();
  if (!taken.empty())
    set(op.getResults(), runBlock(taken.front(), {}));
}

} // namespace metile::interpreter
