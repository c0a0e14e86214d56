// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile record verify FILE: derives again what a record concludes.

#include "CommandLine.h"

#include "Bench/RecordVerify.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

namespace metile::tools {

int record(const Registry &, const Words &words) {
  CommandLine line("record", "Works on the record of a benchmark.");
  std::string action, path;
  line.app.add_option("ACTION", action, "verify: derive again everything the record concludes");
  line.app.add_option("FILE", path, "the record");
  if (auto code = line.parse(words))
    return *code;
  if (action.empty())
    return fail(error("nothing to do with a record", "", "metile record verify FILE"), line.json);
  if (action != "verify")
    return fail(unknownName("action on a record", action, {"verify"}), line.json);
  if (path.empty())
    return fail(error("no record is named", "", "metile record verify FILE"), line.json);
  std::string text;
  int code = bench::recordVerify(path, line.json, text);
  fmt::print("{}", text);
  return code;
}

} // namespace metile::tools
