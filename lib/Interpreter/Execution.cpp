// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Execution.h"

using namespace mlir;

namespace metile::interpreter {

/// Which member executes which operation.
struct Handlers {
  using Handler = std::function<void(Execution &, Operation &)>;
  llvm::DenseMap<TypeID, Handler> table;

  template <class OpTy> void add(void (Execution::*member)(OpTy)) {
    table[TypeID::get<OpTy>()] = [member](Execution &execution, Operation &op) {
      (execution.*member)(cast<OpTy>(op));
    };
  }

  Handlers() {
    add(&Execution::constant);
    add(&Execution::forLoop);
    add(&Execution::whileLoop);
    add(&Execution::branch);
    add(&Execution::declareGrid);
    add(&Execution::programId);
    add(&Execution::numPrograms);
    add(&Execution::arange);
    add(&Execution::splat);
    add(&Execution::expandDims);
    add(&Execution::broadcast);
    add(&Execution::reshape);
    add(&Execution::transpose);
    add(&Execution::join);
    add(&Execution::split);
    add(&Execution::flip);
    add(&Execution::gather);
    add(&Execution::advance);
    add(&Execution::load);
    add(&Execution::store);
    add(&Execution::viewSize);
    add(&Execution::viewStride);
    add(&Execution::viewAt);
    add(&Execution::viewTranspose);
    add(&Execution::viewLoad);
    add(&Execution::viewStore);
    add(&Execution::viewPointers);
    add(&Execution::atomicRmw);
    add(&Execution::atomicCas);
    add(&Execution::dot);
    add(&Execution::reduce);
    add(&Execution::scan);
    add(&Execution::sort);
    add(&Execution::histogram);
    add(&Execution::print);
    add(&Execution::require);
    add(&Execution::probe);
  }

  static const Handler *find(Operation &op) {
    static const Handlers all;
    auto found = all.table.find(op.getName().getTypeID());
    return found == all.table.end() ? nullptr : &found->second;
  }
};

bool Execution::handles(Operation &op) {
  // Terminators are executed by runBlock.
  return Handlers::find(op) || op.hasTrait<OpTrait::IsTerminator>();
}

Execution::Execution(const LoadedKernel &kernel, const InterpretedLaunch &launch, Memory &memory,
                     Findings &findings)
    : kernel(kernel), function(kernel.function), memory(memory), findings(findings),
      debug(launch.debug) {
  bindArguments(launch);
}

static Element scalarArgument(Type type, uint64_t slot) {
  if (isFloat(type))
    return {0, decode(slot, formatOf(type)), -1};
  return {wrap(slot, widthOf(type)), 0, -1};
}

void Execution::bindArguments(const InterpretedLaunch &launch) {
  size_t slot = 0;
  for (auto [index, value] : llvm::enumerate(function.getArguments())) {
    const ArgumentInfo &argument = kernel.arguments[index];
    auto number = static_cast<int32_t>(index);
    uint64_t first = launch.slots[slot];
    if (argument.isView()) {
      View view{number, first, {}, {}, false};
      for (uint32_t axis = 0; axis < argument.rank; ++axis) {
        view.sizes.push_back(static_cast<int64_t>(launch.slots[slot + 1 + axis]));
        view.strides.push_back(static_cast<int64_t>(launch.slots[slot + 1 + argument.rank + axis]));
      }
      views[value] = std::move(view);
    } else if (argument.role == ArgumentRole::pointer) {
      set(value, Tile(Element{first, 0, number}));
    } else {
      set(value, Tile(scalarArgument(value.getType(), first)));
    }
    slot += argument.slots();
  }
}

const Tile &Execution::get(Value value) const {
  auto found = tiles.find(value);
  assert(found != tiles.end() && "an operation runs after those it depends on");
  return found->second;
}

Execution::Tiles Execution::get(ValueRange values) const {
  Tiles result;
  for (Value value : values)
    result.push_back(get(value));
  return result;
}

void Execution::set(ValueRange values, Tiles results) {
  assert(values.size() == results.size());
  for (auto [value, result] : llvm::zip_equal(values, results))
    set(value, std::move(result));
}

int64_t Execution::integer(Value scalar) const {
  return asSigned(get(scalar).scalar().bits, widthOf(scalar.getType()));
}

std::vector<int64_t> Execution::integers(ValueRange scalars) const {
  std::vector<int64_t> result;
  for (Value scalar : scalars)
    result.push_back(integer(scalar));
  return result;
}

void Execution::execute(Operation &op) {
  if (auto known = kernel.elementwise.find(&op); known != kernel.elementwise.end())
    return executeElementwise(op, known->second);
  const Handlers::Handler *handler = Handlers::find(op);
  assert(handler && "load refuses operations that nobody handles");
  (*handler)(*this, op);
}

void Execution::executeElementwise(Operation &op, const ElementFunction &function) {
  SmallVector<const Tile *> operands;
  for (Value operand : op.getOperands())
    operands.push_back(&get(operand));
  Tile result(shapeOf(op.getResult(0).getType()));
  SmallVector<Element> elements(operands.size());
  for (int64_t i = 0; i < result.count(); ++i) {
    // The condition of a select may be one scalar for all elements.
    for (auto [element, operand] : llvm::zip_equal(elements, operands))
      element = (*operand)[operand->shape.empty() ? 0 : i];
    result[i] = function(elements.data());
  }
  set(op.getResult(0), std::move(result));
}

Execution::Tiles Execution::runBlock(Block &block, const Tiles &arguments) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    set(argument, value);
  for (Operation &op : block.without_terminator())
    execute(op);
  return get(block.getTerminator()->getOperands());
}

void Execution::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || tiles.contains(value) || views.contains(value))
    return;
  for (Value operand : op->getOperands())
    compute(operand);
  execute(*op);
}

std::array<int64_t, 3> Execution::grid() {
  std::array<int64_t, 3> result{1, 1, 1};
  for (auto grid : function.getOps<tile::GridOp>())
    for (auto [axis, extent] : llvm::enumerate(grid.getExtents())) {
      compute(extent);
      result[axis] = std::max<int64_t>(0, integer(extent));
    }
  return result;
}

void Execution::run(const Program &runs, const std::array<int64_t, 3> &gridExtents) {
  program = runs;
  extents = gridExtents;
  for (Operation &op : function.getBody().front().without_terminator())
    execute(op);
}

} // namespace metile::interpreter
