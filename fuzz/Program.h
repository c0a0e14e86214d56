// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program: a kernel as tile IR with one launch of it: sizes, strides and seeded contents of its
// arguments. As text it is a reproducer: IR that metile-opt reads, with the launch in comments.
#pragma once

#include "metile/dtype.h"
#include "metile/result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace metile::fuzz {

/// One argument of the launch.
struct LaunchArgument {
  enum class Kind : uint8_t { view, pointer, scalar };
  std::string name;
  Kind kind = Kind::view;
  DType dtype = DType::f32;
  std::vector<int64_t> sizes, strides; ///< Of a view, in elements. A pointer has one size.
  int64_t value = 0;                   ///< Of a scalar.
  bool isInput = false;                ///< It has contents before the launch.
  bool isOutput = false;               ///< It is compared afterwards.

  /// Elements from the first to one past the last that the view or pointer reaches.
  int64_t extent() const;
};

struct Program {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<LaunchArgument> arguments;
  /// Of the contents: the same seed, name, dtype and place give the same number.
  uint64_t dataSeed = 0;
  /// Contents include infinities, NaN, subnormals and the extremes of integers.
  bool hasSpecials = false;
  /// Schedules to compile it with beside the default one.
  std::vector<std::string> schedules;

  Program clone() const;
};

/// A random program; all its constructions are defined, and no two of its programs race.
Program generate(uint64_t seed, mlir::MLIRContext &context);

/// The program as a file of the test suite.
std::string print(const Program &program);
/// The reverse; a mistake is reported with its line.
Result<Program> parse(const std::string &text, const std::string &file, mlir::MLIRContext &context);

} // namespace metile::fuzz
