// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives everything a record concludes once more from what it measured, and names each difference
// by its JSON path. Knows nothing of how a record is made.
#pragma once

#include "Support/Json.h"

#include <string>
#include <string_view>
#include <vector>

namespace metile::bench {

struct RecordFinding {
  std::string path; ///< "comparisons[3].gpu_us.speedup"
  std::string text; ///< What stands there and what follows from the rest.
};

struct RecordVerdict {
  /// The document is no record at all; `findings` says why.
  bool foreign = false;
  std::vector<RecordFinding> findings;
  /// What was derived and agrees, and what a reader must know, one line each.
  std::vector<std::string> notes;
  int speedupsReproduced = 0; ///< To 1e-12, relative.

  bool consistent() const { return !foreign && findings.empty(); }
  /// 0 consistent, 1 not, 2 foreign.
  int exitCode() const { return foreign ? 2 : findings.empty() ? 0 : 1; }
  /// All of it for people.
  std::string str() const;
};

RecordVerdict verifyRecord(const Json &record);

/// `record verify FILE`: prints the verdict (as JSON to `out` if `json`), returns the exit code.
int recordVerify(const std::string &path, bool json, std::string &out);

} // namespace metile::bench
