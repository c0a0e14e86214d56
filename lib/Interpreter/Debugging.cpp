// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that show what a kernel computes.

#include "Interpreter/Execution.h"

#include <cstdio>

using namespace mlir;

namespace metile::interpreter {

/// Integers as signed numbers; i1 as true and false; floats with the digits that tell them apart.
static std::string spell(const Element &element, Type type) {
  unsigned width = widthOf(type);
  if (isFloat(type)) {
    char text[32];
    std::snprintf(text, sizeof text, width == 64 ? "%.17g" : "%.9g", element.real);
    return text;
  }
  if (width == 1)
    return element.bits ? "true" : "false";
  return std::to_string(asSigned(element.bits, width));
}

/// "[[1, 2], [3, 4]]"; a scalar alone.
static std::string spell(const Tile &tile, Type type) {
  std::string text;
  for (int64_t i = 0; i < tile.count(); ++i) {
    // Brackets open and close where a line, or more, begins or ends.
    std::string opened, closed;
    int64_t block = 1;
    for (size_t axis = tile.shape.size(); axis-- > 0;) {
      block *= tile.shape[axis];
      opened += i % block == 0 ? "[" : "";
      closed += (i + 1) % block == 0 ? "]" : "";
    }
    text += (i ? ", " : "") + opened + spell(tile[i], type) + closed;
  }
  return text;
}

void Execution::print(tile::PrintOp op) {
  std::string lines;
  auto start = [&] { lines += describe(program) + ": " + op.getText().str(); };
  if (op.getValues().empty()) {
    start();
    lines += "\n";
  }
  for (Value value : op.getValues()) {
    start();
    lines += ": " + spell(get(value), value.getType()) + "\n";
  }
  std::fputs(lines.c_str(), stderr);
}

void Execution::require(tile::AssertOp op) {
  const Tile &condition = get(op.getCondition());
  for (int64_t i = 0; i < condition.count(); ++i)
    if (!condition[i].bits)
      findings.add(Findings::Kind::assertion, op, -1, [&]() -> Diagnostic {
        std::string place;
        for (int64_t coordinate : placeOf(i, condition.shape))
          place += (place.empty() ? ", element [" : ", ") + std::to_string(coordinate);
        place += place.empty() ? "" : "]";
        return {{},
                function.getName().str() + ": assertion failed: " + op.getMessage().str() +
                    ", in " + describe(program) + place,
                {},
                {}};
      });
}

} // namespace metile::interpreter
