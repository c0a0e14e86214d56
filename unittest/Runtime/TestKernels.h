// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hand-written entry points and their artifacts: the runtime is tested without the compiler.
#pragma once

#include "metile/runtime.h"

#include <atomic>
#include <vector>

namespace metile::test {

using Kind = SizeExpr::Kind;

inline SizeExpr ceilDivExpr(SizeExpr lhs, int64_t divisor) {
  return SizeExpr::binary(Kind::cdiv, std::move(lhs), SizeExpr::constant(divisor));
}

/// scale(In a, Out c, Scalar factor): c = factor * a, 64 elements a program.
inline Artifact scaleArtifact(int64_t programNs = 0) {
  Artifact artifact;
  artifact.kernel = "scale";
  artifact.target = "cpu";
  artifact.producer = "test";
  artifact.constants = {{"BLOCK", 64}};
  artifact.arguments = {{"a", ArgumentRole::in, f32, 1},
                        {"c", ArgumentRole::out, f32, 1},
                        {"factor", ArgumentRole::scalar, i32, 0}};
  Step step;
  step.entry = "scale";
  step.grid = {ceilDivExpr(SizeExpr::size(1, 0), 64), SizeExpr::constant(1), SizeExpr::constant(1)};
  step.programCost = SizeExpr::constant(programNs);
  artifact.steps = {step};
  artifact.codeKind = CodeKind::object;
  artifact.code = "object code";
  artifact.report = "{}";
  return artifact;
}

inline int32_t scale(const uint64_t *slots, int64_t begin, int64_t end, void *) {
  auto *a = reinterpret_cast<const float *>(slots[0]);
  auto *c = reinterpret_cast<float *>(slots[3]);
  auto size = static_cast<int64_t>(slots[4]), strideA = static_cast<int64_t>(slots[2]),
       strideC = static_cast<int64_t>(slots[5]);
  auto factor = static_cast<float>(static_cast<int32_t>(slots[6]));
  for (int64_t i = begin * 64; i < end * 64 && i < size; ++i)
    c[i * strideC] = factor * a[i * strideA];
  return 0;
}

/// count(Ptr hits, Scalar n): adds one to hits[program] for each of n programs; needs 4096 bytes of
/// scratch, which it checks to be private by writing to it.
inline Artifact countArtifact(int64_t programNs = 0) {
  Artifact artifact;
  artifact.kernel = "count";
  artifact.target = "cpu";
  artifact.arguments = {{"hits", ArgumentRole::pointer, i32, 0},
                        {"n", ArgumentRole::scalar, i64, 0}};
  artifact.workspaces = {{"first", Workspace::Scope::worker, SizeExpr::constant(8), 64},
                         {"second", Workspace::Scope::worker, SizeExpr::constant(4096), 128}};
  Step step;
  step.entry = "count";
  step.grid = {SizeExpr::scalar(1), SizeExpr::constant(1), SizeExpr::constant(1)};
  step.programCost = SizeExpr::constant(programNs);
  artifact.steps = {step};
  return artifact;
}

inline int32_t count(const uint64_t *slots, int64_t begin, int64_t end, void *scratch) {
  auto *hits = reinterpret_cast<int32_t *>(slots[0]);
  if (reinterpret_cast<uintptr_t>(scratch) % 128)
    return 1;
  // Two workers with the same scratch would be a race here, which a thread sanitizer reports.
  auto *own = reinterpret_cast<int64_t *>(static_cast<char *>(scratch) + 128);
  for (int64_t i = begin; i < end; ++i) {
    own[i % 512] = i;
    hits[own[i % 512]] += 1;
  }
  return 0;
}

inline Executable make(const Device &device, const Artifact &artifact) {
  const Symbol symbols[] = {{"scale", scale}, {"count", count}};
  return Executable::fromSymbols(device, artifact, symbols).orExit();
}

inline Device cpu(unsigned threads = 1) {
  DeviceOptions options;
  options.threads = threads;
  return Device::open("cpu", options).orExit();
}

} // namespace metile::test
