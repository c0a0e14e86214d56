// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DebugSession: the host's end of the DebugChannel of one launch. Prints lines, keeps the failed
// assertion and copies the probes asked for. Knows no device: whoever runs a kernel hands over what
// its debug sites show.
#pragma once

#include "metile/runtime.h"

#include <mutex>
#include <optional>

namespace metile {

class DebugSession {
public:
  /// `probes` may be null: then nothing is recorded. All outlive the session.
  DebugSession(const Artifact &artifact, const PrintSink &print, ProbeRequest *probes)
      : artifact(artifact), print(print), probes(probes) {}

  /// What code is told; see artifact.h.
  DebugChannel channel() { return {this, receive}; }

  /// One event; arguments as for DebugChannel::show. Safe to call from several threads.
  void show(uint32_t site, const std::array<int64_t, 3> &program, const void *const *values);

  /// The failed assertion as an error: of several, that of the first program of the grid.
  std::optional<Errors> failure() const;

private:
  static void receive(void *host, int32_t site, int64_t x, int64_t y, int64_t z,
                      const void *const *values) {
    static_cast<DebugSession *>(host)->show(static_cast<uint32_t>(site), {x, y, z}, values);
  }
  void printLines(const DebugSite &site, const std::array<int64_t, 3> &program,
                  const void *const *values);
  void writeLine(const std::string &line);

  struct Failure {
    uint32_t site;
    std::array<int64_t, 3> program;
    int64_t element;
  };

  const Artifact &artifact;
  const PrintSink &print;
  ProbeRequest *probes;
  std::mutex mutex;
  std::optional<Failure> failed;
};

} // namespace metile
