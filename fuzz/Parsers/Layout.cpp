// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts as text.

#include "ParserTarget.h"

#include "Layout/Spelling.h"

namespace metile::fuzz {

void feedLayout(std::string_view input) {
  if (Result<LinearLayout> layout = parseLayout(input, "input")) {
    Result<LinearLayout> again = parseLayout(spell(*layout), "again");
    require(again && *again == *layout, "a layout reads back as it is spelled");
    (void)spellCute(*layout);
  } else {
    requireForm(layout.errors());
  }
  for (unsigned bits : {8u, 16u, 64u}) {
    Result<SharedLayout> layout = parseSharedLayout(input, "input", bits);
    if (!layout) {
      requireForm(layout.errors());
      continue;
    }
    Result<SharedLayout> again = parseSharedLayout(spell(*layout), "again", bits);
    require(again && again->elements() == layout->elements() &&
                again->padding() == layout->padding(),
            "a layout of memory reads back as it is spelled");
    (void)spellCute(*layout);
  }
}

} // namespace metile::fuzz
