// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trace: what a kernel body does, as plain data in SSA form. Checked, in canonical order, complete:
// the tile dialect is built from it without further decisions about types.
// Knows nothing of MLIR, of the tracer or of C++ objects in the body.
#pragma once

#include "metile/artifact.h"
#include "metile/dsl/kernel.h"
#include "metile/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace metile {

/// Type of a value: a tile (a scalar if the shape is empty) of numbers or of pointers, or a view.
struct TraceType {
  enum class Kind : uint8_t { none, poison, number, pointer, view };
  Kind kind = Kind::none;
  DType dtype = DType::f32;
  /// Extents of a tile; of a view its sizes, -1 where unknown.
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< Views: strides, -1 where unknown.

  bool isNumber() const { return kind == Kind::number; }
  bool isPointer() const { return kind == Kind::pointer; }
  bool isView() const { return kind == Kind::view; }
  bool isTile() const { return isNumber() || isPointer(); }
  bool isPoison() const { return kind == Kind::poison; }
  bool isScalar() const { return isTile() && shape.empty(); }
  /// "f32[64, 32]", "i64", "pointer to f16 [64]", "view of f32, rank 2".
  std::string str() const;
  bool operator==(const TraceType &) const = default;
};

enum class TraceOp : uint8_t {
#define METILE_TRACE_OP(name) name,
#include "Frontend/TraceOps.def"
};
/// The spelling used in canonicalText.
const char *traceOpName(TraceOp op);
/// How a kernel writes them: "exp", "+".
const char *nameOf(detail::UnaryOp op);
const char *nameOf(detail::BinaryOp op);
const char *nameOf(detail::ReduceOp op);

using TraceValue = uint32_t;

struct TraceRegion;

/// One operation. `ints` holds its integer attributes; what they mean stands in TraceOps.def.
struct TraceOperation {
  TraceOp op = TraceOp::constant;
  std::vector<TraceValue> operands;
  std::vector<TraceValue> results;
  std::vector<int64_t> ints;
  double real = 0; ///< Of a floating-point constant.
  std::string text;
  uint32_t location = 0;
  std::vector<TraceRegion> regions;
};
/// The operation in a word: "exp", "+", "load".
const char *spelling(const TraceOperation &op);

struct TraceRegion {
  std::vector<TraceValue> arguments;
  std::vector<TraceOperation> operations;
  std::vector<TraceValue> yields;
};

struct Trace {
  std::string kernel;
  Math math = Math::standard;
  std::vector<ArgumentInfo> arguments;
  /// Those of the specialization and those that fixed_size added.
  std::vector<Fact> facts;
  std::vector<std::pair<std::string, int64_t>> constants;
  std::vector<TraceType> types; ///< By value.
  /// The body; its arguments are the kernel's. Operation `grid` comes before anything with an
  /// effect.
  TraceRegion body;
  std::vector<Location> locations; ///< By TraceOperation::location.
};

} // namespace metile
