// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in .npy files.

#include "ParserTarget.h"

#include "Support/Npy.h"

namespace metile::fuzz {

void feedNpy(std::string_view input) {
  Result<NpyArray> array = parseNpy(input, "input.npy");
  if (!array)
    return requireForm(array.errors());
  size_t bytes = byteSize(array->dtype);
  for (int64_t size : array->sizes)
    bytes *= static_cast<size_t>(size);
  require(array->bytes.size() == bytes, "an array holds what its shape takes");
  Result<NpyArray> again = parseNpy(npyBytes(*array), "again.npy");
  require(again && again->dtype == array->dtype && again->sizes == array->sizes &&
              again->bytes == array->bytes,
          "an array reads back as it is written");
}

} // namespace metile::fuzz
