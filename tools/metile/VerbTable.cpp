// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All verbs of the tool, in the order in which help shows them.

#include "Verb.h"

namespace metile::tools {

std::span<const Verb> verbs() {
  static constexpr Verb table[] = {
      {"bench", "check and time two variants of a kernel, pair by pair", bench},
      {"explain", "say what the compiler made of a kernel, and why", explain},
      {"compile", "write object code, a C header, an artifact and the report", compile},
      {"run", "run a kernel once on arrays from .npy files or random ones", run},
      {"debug", "compare what one program computes on a device with the interpreter", debug},
#if METILE_EMULATOR
      {"check", "run a Metal kernel on this CPU and report what it does wrong",
       [](const Registry &, const Words &words) { return check(words); }},
#endif
      {"record", "verify the record of a benchmark", record},
      {"layout", "draw which lane, register or offset holds which element of a tile", layout},
      {"list", "kernels, cases, devices, targets, schedule fields, variants", list},
      {"doctor", "what this machine offers, and what is missing", doctor},
      {"cache", "where compiled kernels are kept: size, list, clear", cache},
      {"bench-worker", "", benchWorker},
  };
  return table;
}

} // namespace metile::tools
