// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that show what a kernel computes.
#include "Frontend/DslAccess.h"

using namespace metile;

static void show(Op &op, TraceOp code, std::string_view text, std::vector<ValueId> values) {
  ValueId shown = op.emit(code, {}, std::move(values));
  op->op(shown).text = std::string(text);
}

void detail::print(const Text &text, std::initializer_list<const Tile *> values) {
  Op op(text.at);
  if (!op || !op->effectAllowed(op.location, "print"))
    return;
  std::vector<ValueId> shown;
  for (const Tile *value : values) {
    shown.push_back(op.value(*value));
    if (op.isPoison(shown.back()) || !op.isNumber(shown.back(), "print"))
      return;
  }
  show(op, TraceOp::print, text.text, std::move(shown));
}

void metile::device_assert(const Tile &condition, std::string_view message, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(condition) : poisonValue;
  if (op && op.isCondition(v, "the condition of device_assert") &&
      op->effectAllowed(op.location, "device_assert"))
    show(op, TraceOp::assertion, message, {v});
}

void metile::probe(std::string_view name, const Tile &value, Loc at) {
  Op op(at);
  ValueId v = op ? op.value(value) : poisonValue;
  if (!op || op.isPoison(v) || !op.isNumber(v, "probe") || !op->effectAllowed(op.location, "probe"))
    return;
  if (name.empty())
    op.fail("a probe without a name", "the name tells probes apart", "name it after the value");
  else
    show(op, TraceOp::probe, name, {v});
}
