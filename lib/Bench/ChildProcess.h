// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child process that answers lines with lines. However it behaves (dies, falls silent, babbles),
// the outcome is an answer or an error that says what it did. Knows nothing of what the lines mean.
#pragma once

#include "metile/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace metile::bench {

class ChildProcess {
public:
  /// Starts `command` (looked up in PATH) in a process group of its own, so that Ctrl-C in the
  /// terminal reaches only us.
  static Result<ChildProcess> start(const std::vector<std::string> &command,
                                    const std::string &label);
  ChildProcess(ChildProcess &&) noexcept;
  ChildProcess &operator=(ChildProcess &&) noexcept;
  /// Closes its input, gives it a moment to leave, then kills it and all of its group.
  ~ChildProcess();

  Status writeLine(std::string_view line);
  /// The next line it writes, without the newline.
  Result<std::string> readLine(double timeoutSeconds);

  int64_t processId() const { return id; }
  /// An error about this process: `what`, and the last lines it wrote to stderr.
  Errors failure(const std::string &what);

private:
  ChildProcess() = default;
  void drainErrors();
  /// "ended with exit code 3"
  std::string ending();
  void stop();

  std::string label;
  int64_t id = -1;
  int input = -1, output = -1, errors = -1;
  std::string pending;   ///< Read, but not yet asked for.
  std::string errorTail; ///< The end of what it wrote to stderr.
};

} // namespace metile::bench
