// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ElementwiseKernel: runs one operation over arrays, as vectors and as scalars, for tests of what
// the operation means. Must not know the operation.
#pragma once

#include "TileRunner.h"

#include <string>
#include <string_view>
#include <vector>

namespace metile::cpu {

/// Replaces every `key` in `text`.
inline std::string replaceAll(std::string text, std::string_view key, std::string_view value) {
  for (size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += value.size())
    text.replace(at, key.size(), value);
  return text;
}

using Elementwise = void(const void *a, const void *b, const void *c, void *result, int64_t count);

/// The text of an Elementwise function `kernel` that runs `body` on `lanes` lanes (0: scalars) at a
/// time. In `body` IN and OUT stand for the types of operands and result and %a, %b and %c for the
/// operands; it defines %r.
inline std::string elementwiseText(std::string_view body, std::string_view in, std::string_view out,
                                   unsigned lanes) {
  auto typeOf = [&](std::string_view element) {
    return lanes ? "vector<" + std::to_string(lanes) + "x" + std::string(element) + ">"
                 : std::string(element);
  };
  std::string text = R"(
func.func @kernel(%pa: !llvm.ptr, %pb: !llvm.ptr, %pc: !llvm.ptr, %pr: !llvm.ptr, %n: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant STEP : i64
  scf.for %i = %zero to %n step %step : i64 {
    %qa = llvm.getelementptr %pa[%i] : (!llvm.ptr, i64) -> !llvm.ptr, ELEMENT_IN
    %qb = llvm.getelementptr %pb[%i] : (!llvm.ptr, i64) -> !llvm.ptr, ELEMENT_IN
    %qc = llvm.getelementptr %pc[%i] : (!llvm.ptr, i64) -> !llvm.ptr, ELEMENT_IN
    %qr = llvm.getelementptr %pr[%i] : (!llvm.ptr, i64) -> !llvm.ptr, ELEMENT_OUT
    %a = llvm.load %qa {alignment = 1 : i64} : !llvm.ptr -> IN
    %b = llvm.load %qb {alignment = 1 : i64} : !llvm.ptr -> IN
    %c = llvm.load %qc {alignment = 1 : i64} : !llvm.ptr -> IN
    BODY
    llvm.store %r, %qr {alignment = 1 : i64} : OUT, !llvm.ptr
  }
  return
})";
  text = replaceAll(text, "BODY", body);
  text = replaceAll(text, "STEP", std::to_string(lanes ? lanes : 1));
  text = replaceAll(text, "ELEMENT_IN", in);
  text = replaceAll(text, "ELEMENT_OUT", out);
  text = replaceAll(text, "IN", typeOf(in));
  return replaceAll(text, "OUT", typeOf(out));
}

inline Elementwise *compileElementwise(TileRunner &runner, std::string_view body,
                                       std::string_view in, std::string_view out, unsigned lanes) {
  return runner.compile<Elementwise>(elementwiseText(body, in, out, lanes));
}

} // namespace metile::cpu
