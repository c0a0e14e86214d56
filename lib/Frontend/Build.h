// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build: a checked Trace becomes operations of the tile dialect, arith, math and scf. The one place
// that knows which operation means what; it decides no types and reports no mistakes of users.
#pragma once

#include "Dialect/Tile/Tile.h"
#include "Frontend/Trace.h"
#include "metile/compile.h"

#include "mlir/IR/BuiltinOps.h"

namespace metile {

class Build {
public:
  Build(const Trace &trace, mlir::MLIRContext &context, Probes probes);
  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  // ---- types and places (Build.cpp) ----
  mlir::Type elementType(DType dtype);
  mlir::Type typeOf(const TraceType &type);
  mlir::Location place(uint32_t number);
  void argumentAttributes(unsigned number, llvm::SmallVectorImpl<mlir::NamedAttribute> &result);

  // ---- structure (Build.cpp) ----
  void operation(const TraceOperation &operation);
  void structured(const TraceOperation &operation);
  void probe(llvm::StringRef name, TraceValue value);
  void probeResults(const TraceOperation &operation);
  void body(const TraceRegion &region, mlir::Block &block);

  // ---- elementwise (BuildElementwise.cpp); `like` gives the shape ----
  mlir::Value constant(const TraceType &type, int64_t integer, double real);
  mlir::Value cast(mlir::Value value, DType from, DType to);
  mlir::Value unary(detail::UnaryOp op, mlir::Value value, DType dtype);
  mlir::Value binary(detail::BinaryOp op, nan mode, mlir::Value a, mlir::Value b, DType dtype);
  mlir::Value splatOf(double real, mlir::Type like);
  mlir::Value integerSplat(int64_t value, mlir::Type like);
  mlir::arith::FastMathFlagsAttr flags();

  // ---- along an axis (BuildReduce.cpp) ----
  mlir::Value reduce(const TraceOperation &operation);
  mlir::Value argReduce(const TraceOperation &operation);
  void combine(const TraceOperation &operation);
  void sort(const TraceOperation &operation);

  const TraceType &type(TraceValue value) const { return trace.types[value]; }
  mlir::Value get(TraceValue value) const { return values[value]; }
  llvm::SmallVector<mlir::Value> get(const std::vector<TraceValue> &list, size_t from = 0) const;

  const Trace &trace;
  Probes probes;
  mlir::OpBuilder builder;
  mlir::Location loc;
  std::vector<mlir::Value> values;
};

} // namespace metile
