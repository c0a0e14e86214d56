// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/dtype.h"

#include <iterator>

namespace metile {
namespace {

struct Names {
  std::string_view brief, full;
};

constexpr Names names[] = {
    {"bool", "bool"},          {"i8", "int8"},
    {"i16", "int16"},          {"i32", "int32"},
    {"i64", "int64"},          {"u8", "uint8"},
    {"u16", "uint16"},         {"u32", "uint32"},
    {"u64", "uint64"},         {"f8e4m3", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"}, {"f16", "float16"},
    {"bf16", "bfloat16"},      {"f32", "float32"},
    {"f64", "float64"},
};
static_assert(std::size(names) == std::size(allDTypes));

} // namespace

std::string_view name(DType d) { return names[static_cast<size_t>(d)].brief; }
std::string_view longName(DType d) { return names[static_cast<size_t>(d)].full; }

std::optional<DType> parseDType(std::string_view text) {
  for (DType d : allDTypes)
    if (text == name(d) || text == longName(d))
      return d;
  return std::nullopt;
}

} // namespace metile
