// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of benchmarks: verified, and shown as a table and as a page.

#include "ParserTarget.h"

#include "Bench/Html.h"
#include "Bench/RecordVerify.h"
#include "Bench/Table.h"

namespace metile::fuzz {

void feedRecord(std::string_view input) {
  Result<Json> record = parseJson(input, "record.json");
  if (!record)
    return requireForm(record.errors());
  bench::RecordVerdict verdict = bench::verifyRecord(*record);
  require(verdict.consistent() == (verdict.exitCode() == 0),
          "only what is consistent exits with 0");
  require(verdict.consistent() || !verdict.findings.empty(), "a refusal names a finding");
  require(!verdict.str().empty(), "a verdict says something");
  require(!bench::resultTable(*record).empty(), "a table says something");
  require(bench::htmlPage(*record).ends_with("</html>\n"), "a page has an end");
}

} // namespace metile::fuzz
