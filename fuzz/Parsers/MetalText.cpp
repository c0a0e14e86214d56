// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preprocessed Metal Shading Language: tokens, kernels, rewriting.

#include "ParserTarget.h"

#include "Emulator/Rewriter.h"

namespace metile::fuzz {

void feedMetalText(std::string_view input) {
  using namespace emulator;
  TokenList tokens =
      lex(input, [&](const std::string &) { return std::optional<std::string>(input); });
  require(!tokens.tokens.empty() && tokens.tokens.back().kind == Token::Kind::end,
          "tokens end with the one that marks the end");
  RewrittenText all = rewrite(tokens, {});
  std::optional<SourceMap> map = SourceMap::parse(all.map.serialize());
  require(map && map->serialize() == all.map.serialize(), "the map of a text is well formed");
  for (const KernelName &kernel : all.kernels)
    require(rewrite(tokens, {kernel.name, {{"0", {"1"}}}}).hasEntry,
            "a kernel that is listed can be asked for");
}

} // namespace metile::fuzz
