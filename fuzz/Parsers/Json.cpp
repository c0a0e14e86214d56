// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON text.

#include "ParserTarget.h"

#include "Support/Json.h"

namespace metile::fuzz {

void feedJson(std::string_view input) {
  Result<Json> json = parseJson(input, "input.json");
  if (!json)
    return requireForm(json.errors());
  for (int indent : {-1, 2}) {
    Result<Json> again = parseJson(json->dump(indent), "again.json");
    require(again && *again == *json, "JSON reads back as it prints");
  }
}

} // namespace metile::fuzz
