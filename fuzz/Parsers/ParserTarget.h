// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ParserTarget: something that reads bytes it did not write, and what must hold of it whatever the
// bytes are. libFuzzer looks for new bytes (LibFuzzer.cpp), the tests feed those that are kept
// (Replay.cpp). Must not know which of the two it is.
#pragma once

#include "metile/result.h"

#include <span>
#include <string_view>

namespace metile::fuzz {

struct ParserTarget {
  std::string_view name; ///< "npy": also the folder of its inputs.
  /// Parses `input` and requires what must hold of the outcome.
  void (*feed)(std::string_view input);
};

/// All of ParserTargets.def.
std::span<const ParserTarget> parserTargets();

/// The one called `name`, or null.
const ParserTarget *findParserTarget(std::string_view name);

/// Names `rule` and aborts unless it holds.
void require(bool holds, std::string_view rule);

/// Requires the house's form of messages: each says what was found, on lines that a terminal can
/// show.
void requireForm(const Errors &errors);

} // namespace metile::fuzz
