// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of loops, branches, swaps, loads and stores: what their trace computes equals
// what the same program computes in C++.
#include "SampleKernels.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

using namespace metile;

namespace {

constexpr int numVariables = 5, memorySize = 8;
using Memory = std::array<int64_t, memorySize>;

struct Expr {
  enum Kind { constant, variable, index, load, add, sub, mul, select, less } kind;
  int64_t value = 0;
  std::vector<Expr> operands;
};

struct Statement {
  enum Kind { assign, swap, store, loop, branch, whileLoop, returnIf } kind;
  int a = 0, b = 0;
  std::vector<Expr> expressions;
  std::vector<Statement> first, second;
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}
  std::vector<Statement> body(int depth, bool mayReturn) {
    std::vector<Statement> result;
    for (int n = pick(1, 4); n-- > 0;)
      result.push_back(statement(depth, mayReturn));
    return result;
  }

private:
  int pick(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(random); }
  Expr expression(int depth) {
    int kind = depth == 0 ? pick(0, 2) : pick(0, 8);
    Expr e{Expr::Kind(kind), pick(-9, 9), {}};
    if (e.kind == Expr::variable)
      e.value = pick(0, numVariables - 1);
    int operands = e.kind < Expr::load      ? 0
                   : e.kind == Expr::load   ? 1
                   : e.kind == Expr::select ? 3
                                            : 2;
    while (operands-- > 0)
      e.operands.push_back(expression(depth - 1));
    return e;
  }
  Statement statement(int depth, bool mayReturn) {
    static constexpr Statement::Kind flat[] = {Statement::assign, Statement::assign,
                                               Statement::swap, Statement::store};
    Statement s{};
    int choice = pick(0, depth > 0 ? 7 : 3);
    s.kind = choice < 4 ? flat[choice] : Statement::Kind(Statement::loop + choice - 4);
    if (s.kind == Statement::returnIf && !mayReturn)
      s.kind = Statement::assign;
    s.a = pick(0, numVariables - 1);
    s.b = pick(0, numVariables - 1);
    for (int i = 0; i < 2; ++i)
      s.expressions.push_back(expression(2));
    if (s.kind >= Statement::loop && s.kind <= Statement::whileLoop) {
      mayReturn &= s.kind == Statement::branch;
      s.first = body(depth - 1, mayReturn);
      if (s.kind == Statement::branch && pick(0, 1))
        s.second = body(depth - 1, mayReturn);
    }
    return s;
  }
  std::mt19937 random;
};

// ---- in C++
// --------------------------------------------------------------------------------------

struct Host {
  std::array<int64_t, numVariables> variables{};
  int64_t index = 0;
  Memory &memory;

  int64_t eval(const Expr &e) {
    auto operand = [&](int i) { return eval(e.operands[i]); };
    auto wrap = [](uint64_t v) { return int64_t(v); };
    switch (e.kind) {
    case Expr::constant:
      return e.value;
    case Expr::variable:
      return variables[e.value];
    case Expr::index:
      return index;
    case Expr::load:
      return memory[operand(0) & (memorySize - 1)];
    case Expr::add:
      return wrap(uint64_t(operand(0)) + uint64_t(operand(1)));
    case Expr::sub:
      return wrap(uint64_t(operand(0)) - uint64_t(operand(1)));
    case Expr::mul:
      return wrap(uint64_t(operand(0)) * uint64_t(operand(1)));
    case Expr::select:
      return operand(0) < 0 ? operand(1) : operand(2);
    case Expr::less:
      return operand(0) < operand(1);
    }
    return 0;
  }

  /// False once the program has returned.
  bool run(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      auto value = [&](int i) { return eval(s.expressions[i]); };
      switch (s.kind) {
      case Statement::assign:
        variables[s.a] = value(0);
        break;
      case Statement::swap:
        std::swap(variables[s.a], variables[s.b]);
        break;
      case Statement::store: {
        int64_t at = value(0) & (memorySize - 1);
        memory[at] = value(1);
        break;
      }
      case Statement::loop: {
        int64_t end = value(0) & 3, outer = index;
        for (int64_t i = 0; i < end; ++i) {
          index = i;
          run(s.first);
        }
        index = outer;
        break;
      }
      case Statement::branch:
        if (!run(value(0) < value(1) ? s.first : s.second))
          return false;
        break;
      case Statement::whileLoop:
        for (int64_t n = 0; n < 3 && value(0) < value(1); ++n)
          run(s.first);
        break;
      case Statement::returnIf:
        if (value(0) < value(1) - 20)
          return false;
        break;
      }
    }
    return true;
  }
};

// ---- in the kernel language
// ----------------------------------------------------------------------

struct Traced {
  std::vector<Tile> variables;
  std::vector<Index> index;
  const Tile &memory;

  Tile eval(const Expr &e) {
    auto operand = [&](int i) { return eval(e.operands[i]); };
    switch (e.kind) {
    case Expr::constant:
      return full(i64, {}, e.value);
    case Expr::variable:
      return variables[e.value];
    case Expr::index:
      return index.back();
    case Expr::load:
      return load(memory + (operand(0) & (memorySize - 1)));
    case Expr::add:
      return operand(0) + operand(1);
    case Expr::sub:
      return operand(0) - operand(1);
    case Expr::mul:
      return operand(0) * operand(1);
    case Expr::select:
      return where(operand(0) < 0, operand(1), operand(2));
    case Expr::less:
      return cast(operand(0) < operand(1), i64);
    }
    return {};
  }

  void run(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      auto value = [&](int i) { return eval(s.expressions[i]); };
      switch (s.kind) {
      case Statement::assign:
        variables[s.a] = value(0);
        break;
      case Statement::swap:
        std::swap(variables[s.a], variables[s.b]);
        break;
      case Statement::store:
        store(memory + (value(0) & (memorySize - 1)), value(1));
        break;
      case Statement::loop:
        for (Index i : range(value(0) & 3)) {
          index.push_back(i);
          run(s.first);
          index.pop_back();
        }
        break;
      case Statement::branch: {
        If made = if_(value(0) < value(1), [&] { run(s.first); });
        if (!s.second.empty())
          made.else_([&] { run(s.second); });
        break;
      }
      case Statement::whileLoop: {
        Index n = 0;
        while_([&] { return n < 3 && value(0) < value(1); },
               [&] {
                 run(s.first);
                 n += 1;
               });
        break;
      }
      case Statement::returnIf:
        return_if(value(0) < value(1) - 20);
        break;
      }
    }
  }
};

// ---- a trace, run
// --------------------------------------------------------------------------------

struct Evaluator {
  const Trace &trace;
  Memory &memory;
  std::vector<int64_t> values = std::vector<int64_t>(trace.types.size());

  std::vector<int64_t> get(const std::vector<TraceValue> &list, size_t from = 0) {
    std::vector<int64_t> result;
    for (size_t i = from; i < list.size(); ++i)
      result.push_back(values[list[i]]);
    return result;
  }
  void set(const std::vector<TraceValue> &list, const std::vector<int64_t> &from,
           size_t offset = 0) {
    ASSERT_EQ(list.size() - offset, from.size());
    for (size_t i = 0; i < from.size(); ++i)
      values[list[i + offset]] = from[i];
  }
  std::vector<int64_t> run(const TraceRegion &region) {
    for (const TraceOperation &op : region.operations)
      run(op);
    return get(region.yields);
  }
  void run(const TraceOperation &op) {
    using detail::BinaryOp;
    auto operand = [&](size_t i) { return values[op.operands[i]]; };
    auto define = [&](int64_t v) { values[op.results[0]] = v; };
    switch (op.op) {
    case TraceOp::grid:
      return;
    case TraceOp::constant:
      return define(op.ints[0]);
    case TraceOp::cast:
      return define(operand(0));
    case TraceOp::select:
      return define(operand(0) ? operand(1) : operand(2));
    case TraceOp::unary:
      return define(!operand(0));
    case TraceOp::addPtr:
      return define(operand(0) + operand(1));
    case TraceOp::load:
      return define(memory[operand(0)]);
    case TraceOp::store:
      memory[operand(0)] = operand(1);
      return;
    case TraceOp::binary: {
      uint64_t a = operand(0), b = operand(1);
      switch (BinaryOp(op.ints[0])) {
      case BinaryOp::add:
        return define(a + b);
      case BinaryOp::sub:
        return define(a - b);
      case BinaryOp::mul:
        return define(a * b);
      case BinaryOp::lt:
        return define(int64_t(a) < int64_t(b));
      case BinaryOp::bitAnd:
      case BinaryOp::logicalAnd:
        return define(a & b);
      default:
        FAIL() << "binary " << op.ints[0];
      }
      return;
    }
    case TraceOp::forLoop: {
      std::vector<int64_t> state = get(op.operands, 3);
      for (int64_t i = operand(0), end = operand(1), step = operand(2); i < end; i += step) {
        values[op.regions[0].arguments[0]] = i;
        set(op.regions[0].arguments, state, 1);
        state = run(op.regions[0]);
      }
      return set(op.results, state);
    }
    case TraceOp::whileLoop: {
      std::vector<int64_t> state = get(op.operands);
      while (true) {
        set(op.regions[0].arguments, state);
        state = run(op.regions[0]);
        bool go = state.front();
        state.erase(state.begin());
        if (!go)
          return set(op.results, state);
        set(op.regions[1].arguments, state);
        state = run(op.regions[1]);
      }
    }
    case TraceOp::ifThenElse:
      return set(op.results, run(op.regions[operand(0) ? 0 : 1]));
    default:
      FAIL() << traceOpName(op.op);
    }
  }
};

TEST(RandomPrograms, TraceComputesWhatCppComputes) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    auto program = std::make_shared<std::vector<Statement>>(generator.body(3, true));
    Kernel k = kernel("random", [program](Ptr<"m"> m) {
      grid(1);
      Traced traced{{}, {Index(0)}, m};
      // Growing inside a loop would move the indices of outer loops into it.
      traced.index.reserve(16);
      for (int i = 0; i < numVariables; ++i)
        traced.variables.push_back(full(i64, {}, i + 1));
      traced.run(*program);
      for (int i = 0; i < numVariables; ++i)
        store(m + i, traced.variables[i]);
    });
    Result<Trace> trace = traceKernel(k, specialize(k, "m=i64"));
    ASSERT_TRUE(trace.ok()) << seed << "\n" << trace.errors().str();

    Memory expected{3, -1, 4, 1, -5, 9, 2, 6}, found = expected;
    Host host{{1, 2, 3, 4, 5}, 0, expected};
    if (host.run(*program))
      for (int i = 0; i < numVariables; ++i)
        expected[i] = host.variables[i];
    Evaluator evaluator{*trace, found};
    evaluator.run(trace->body);
    ASSERT_EQ(expected, found) << "seed " << seed << "\n" << canonicalText(*trace);
  }
}

} // namespace
