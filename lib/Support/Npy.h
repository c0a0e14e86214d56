// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Npy: arrays in NumPy's .npy files, versions 1 to 3. The types that NumPy lacks have the codes
// that ml_dtypes gives them: bfloat16 is "<V2", float8_e4m3fn "|V1" and float8_e5m2 "|f1". Knows
// nothing of kernels or devices.
#pragma once

#include "metile/dtype.h"
#include "metile/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metile {

struct NpyArray {
  DType dtype = DType::f32;
  std::vector<int64_t> sizes;
  std::vector<std::byte> bytes; ///< Row-major, without gaps, in this machine's byte order.
};

/// Reads the file at `path`. One that is missing, truncated, no .npy file, or of a type that meTile
/// lacks is an error.
Result<NpyArray> readNpy(const std::string &path);

/// Reads the bytes of a file; `name` stands in messages.
Result<NpyArray> parseNpy(std::string_view bytes, std::string_view name);

/// The bytes of the file that holds `array`.
std::string npyBytes(const NpyArray &array);

} // namespace metile
