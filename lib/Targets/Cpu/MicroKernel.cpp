// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The innermost loops of a dot: a register tile of the result over the whole depth.

#include "Targets/Cpu/Dot.h"

using namespace mlir;

namespace metile::cpu {

void Emitter::emitMicroKernels(const DotShape &dot, const DotOperand &lhs, const DotOperand &rhs,
                               Value acc) {
  int64_t columns = dot.tile.columns(), rows = dot.tile.rows;
  int64_t whole = dot.m / rows, rest = dot.m % rows;
  auto panel = [&](Value index) {
    Value right = rhs.pointer, result = acc;
    if (index) {
      right = gep(right, dot.element, mul(index, rhs.panelStride));
      result = gep(result, dot.element, mul(index, constant(columns)));
    }
    auto block = [&](Value first, unsigned height) {
      Value left = gep(lhs.pointer, dot.element, mul(first, lhs.rowStride));
      Value target = gep(result, dot.element, mul(first, constant(dot.n)));
      emitMicroKernel(dot, height, left, right, target, lhs, rhs);
    };
    Value end = constant(whole * rows);
    if (dot.rowEnd)
      end = arith::MinSIOp::create(b, loc, end, dot.rowEnd);
    if (whole == 1 && !dot.rowEnd)
      block({}, rows);
    else
      loop({}, end, rows, {}, [&](Value first, ValueRange) {
        block(first, rows);
        return SmallVector<Value>();
      });
    if (!rest)
      return;
    OpBuilder::InsertionGuard guard(b);
    if (dot.rowEnd) {
      Value isNeeded = compare(arith::CmpIPredicate::sgt, dot.rowEnd, constant(whole * rows));
      auto branch = scf::IfOp::create(b, loc, isNeeded, false);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    block(constant(whole * rows), rest);
  };
  if (dot.n == columns) {
    panel({});
    return;
  }
  loop({}, constant(dot.n / columns), 1, {}, [&](Value index, ValueRange) {
    panel(index);
    return SmallVector<Value>();
  });
}

/// acc[0..rows][0..columns] += lhs · rhs, with the sums in registers.
void Emitter::emitMicroKernel(const DotShape &dot, unsigned rows, Value lhs, Value rhs, Value acc,
                              const DotOperand &left, const DotOperand &right) {
  int64_t lanes = dot.tile.lanes;
  unsigned vectors = dot.tile.vectors;
  Type element = dot.element;
  VectorType type = VectorType::get({lanes}, element);
  unsigned alignment = byteSize(element);
  auto at = [&](unsigned row, unsigned vector) {
    return gep(acc, element, int64_t(row) * dot.n + int64_t(vector) * lanes);
  };
  SmallVector<Value> sums, rowPointers;
  for (unsigned row = 0; row < rows; ++row) {
    rowPointers.push_back(gep(lhs, element, mul(constant(row), left.rowStride)));
    for (unsigned vector = 0; vector < vectors; ++vector)
      sums.push_back(LLVM::LoadOp::create(b, loc, type, at(row, vector), alignment));
  }
  Value end = dot.depthEnd ? dot.depthEnd : constant(dot.k);
  auto depth = loop({}, end, 1, sums, [&](Value k, ValueRange carried) {
    SmallVector<Value> columns, next;
    Value rightRow = gep(rhs, element, mul(k, right.rowStride));
    Value leftColumn = mul(k, left.columnStride);
    for (unsigned vector = 0; vector < vectors; ++vector)
      columns.push_back(LLVM::LoadOp::create(
          b, loc, type, gep(rightRow, element, int64_t(vector) * lanes), alignment));
    for (unsigned row = 0; row < rows; ++row) {
      Value scalar = LLVM::LoadOp::create(b, loc, element,
                                          gep(rowPointers[row], element, leftColumn), alignment);
      Value factor = vector::BroadcastOp::create(b, loc, type, scalar);
      for (unsigned vector = 0; vector < vectors; ++vector) {
        Value sum = carried[row * vectors + vector];
        if (isa<FloatType>(element))
          next.push_back(vector::FMAOp::create(b, loc, factor, columns[vector], sum));
        else
          next.push_back(arith::AddIOp::create(
              b, loc, arith::MulIOp::create(b, loc, factor, columns[vector]), sum));
      }
    }
    return next;
  });
  depth->setAttr(loopMark,
                 b.getDictionaryAttr({b.getNamedAttr("induction_variable", b.getStringAttr("kk")),
                                      b.getNamedAttr("origin", b.getStringAttr(dot.origin)),
                                      b.getNamedAttr("step", b.getI64IntegerAttr(1))}));
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned vector = 0; vector < vectors; ++vector)
      LLVM::StoreOp::create(b, loc, depth.getResult(row * vectors + vector), at(row, vector),
                            alignment);
}

} // namespace metile::cpu
