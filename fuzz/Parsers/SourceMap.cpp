// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source maps of the emulator's cache.

#include "ParserTarget.h"

#include "Emulator/SourceMap.h"

namespace metile::fuzz {

void feedSourceMap(std::string_view input) {
  using emulator::SourceMap;
  std::optional<SourceMap> map = SourceMap::parse(input);
  if (!map)
    return;
  for (uint32_t line : {0u, 1u, 7u, ~0u})
    for (uint32_t column : {0u, 1u, 80u, ~0u})
      (void)map->find(line, column);
  std::optional<SourceMap> again = SourceMap::parse(map->serialize());
  require(again && again->serialize() == map->serialize(), "a map reads back as it is written");
}

} // namespace metile::fuzz
