// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TargetDesc: what a chip offers, as plain data. Passes and planners ask it instead of asking
// "which target is this". Must not know IR, kernels or the runtime.
#pragma once

#include "metile/dtype.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

/// `reference` is no chip: the interpreter, which says what a kernel means.
enum class TargetKind : uint8_t { cpu, cuda, metal, reference };

/// "cpu", "cuda", "metal", "reference".
std::string_view name(TargetKind kind);

/// One level of data cache as one core sees it.
struct CacheDesc {
  int64_t bytes = 0;
  uint32_t ways = 8;
  /// Cores that share it.
  uint32_t sharers = 1;
};

struct TargetDesc {
  TargetKind kind = TargetKind::cpu;
  /// "cpu:x86-64-v4".
  std::string name;
  /// One line for people.
  std::string summary;

  // What code may rely on.
  std::string triple;  ///< As LLVM spells it.
  std::string llvmCpu; ///< As LLVM spells it.
  /// LLVM's feature names without the sign, sorted. A machine that lacks one cannot run the code.
  std::vector<std::string> features;
  unsigned vectorBytes = 16;     ///< Width of one vector register.
  unsigned vectorRegisters = 16; ///< How many the instruction set names.
  /// Lanes that a mask switches off neither fault nor cost more than a plain access.
  bool hasMaskedMemory = false;
  bool hasFma = false;

  // What planners weigh; wrong numbers here cost speed, never correctness.
  unsigned fmaUnits = 2;             ///< Vector FMAs a core starts each cycle.
  double clockGHz = 3;               ///< Of a busy core.
  double memoryGBs = 20;             ///< What one core streams from memory.
  std::array<CacheDesc, 3> caches{}; ///< L1, L2, L3.
  unsigned cores = 1;                ///< Cores that this process may use.

  /// Elements of `dtype` in one vector register, at least 1.
  unsigned lanes(DType dtype) const { return std::max(1u, vectorBytes / byteSize(dtype)); }
  bool has(std::string_view feature) const {
    return std::binary_search(features.begin(), features.end(), feature);
  }
  /// The features joined by commas, as an Artifact holds them.
  std::string featureList() const;
};

} // namespace metile
