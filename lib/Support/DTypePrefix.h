// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// takeDType: the dtype at the front of the name of a case or shape, "float8_e5m2_3x4". Its name may
// hold the '_' that ends it. Knows nothing of cases.
#pragma once

#include "metile/dtype.h"

namespace metile {

/// Takes a name of a dtype and the '_' behind it off the front of `text`; leaves it as it is if
/// there is none.
inline std::optional<DType> takeDType(std::string_view &text) {
  for (DType d : allDTypes)
    for (std::string_view known : {name(d), longName(d)})
      if (text.starts_with(known) && text.substr(known.size()).starts_with('_')) {
        text.remove_prefix(known.size() + 1);
        return d;
      }
  return std::nullopt;
}

} // namespace metile
