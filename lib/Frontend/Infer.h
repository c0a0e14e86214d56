// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typing rules of the language: promotion, literals, broadcasting, extents, accumulators, and
// the wording of their messages. Pure functions of types; they record nothing.
#pragma once

#include "Frontend/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace metile::infer {

/// What a rule objects to; the operation adds where.
struct Mistake {
  std::string found, allowed, change;
};

inline TraceType scalarType(DType dtype) { return {TraceType::Kind::number, dtype, {}, {}}; }
inline TraceType tileType(DType dtype, std::vector<int64_t> shape) {
  return {TraceType::Kind::number, dtype, std::move(shape), {}};
}

/// The type in which two tiles meet, or a mistake.
std::optional<DType> promote(DType a, DType b, Mistake &mistake);

/// The type in which arithmetic and comparisons of `dtype` are done: f32 for floats of 8 bits.
DType arithmeticType(DType dtype);

/// Whether a C++ number may stand as a `dtype`; `integer` is used unless `isReal`.
bool literalFits(DType dtype, bool isReal, bool isUnsigned, int64_t integer, double real,
                 Mistake &mistake);

/// The shape in which shapes meet; scalars go with anything.
bool broadcast(const std::vector<int64_t> &a, const std::vector<int64_t> &b,
               std::vector<int64_t> &result, Mistake &mistake);

/// Powers of two, at most 2^20 elements in all.
bool checkExtents(const std::vector<int64_t> &shape, Mistake &mistake);

/// Normalises a negative axis; `rank` axes are there.
bool checkAxis(int64_t &axis, size_t rank, const std::string &what, Mistake &mistake);

/// Type of the sum of elements of `dtype`.
DType sumType(DType dtype);

/// Accumulator of a dot of these operands, or nothing.
std::optional<DType> dotType(DType a, DType b);

/// "[64, 32]".
std::string shapeText(const std::vector<int64_t> &shape);
int64_t elements(const std::vector<int64_t> &shape);

} // namespace metile::infer
