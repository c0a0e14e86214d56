// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares what the probes of one program recorded on a device with what they recorded in the
// interpreter, in the order of the program. Must not know how either ran.
#pragma once

#include "Interpreter/Envelope.h"

#include "metile/runtime.h"

#include <optional>
#include <string>
#include <vector>

namespace metile::tools {

/// Where two recordings part.
struct Parting {
  size_t record = 0;                   ///< The number of the record in both.
  std::optional<int64_t> element = {}; ///< Row-major; without one they took different ways.
  std::string expected = {};           ///< Of the element: "1.5", "1.5 to 1.50001".
};

class ProbeComparison {
public:
  /// `records` of one program, to nearest.
  explicit ProbeComparison(std::vector<ProbeRecord> records);
  /// Takes an evaluation into account whose roundings went another way.
  void widen(const std::vector<ProbeRecord> &records);
  /// The first place where `found` is not as it may be.
  std::optional<Parting> parting(const std::vector<ProbeRecord> &found) const;

  /// Whether the nominal recording has NaN in this element, too, if it comes there at all.
  bool hasNan(size_t record, int64_t element) const;

  const std::vector<ProbeRecord> &records() const { return nominal; }

private:
  std::vector<ProbeRecord> nominal;
  std::vector<interpreter::Envelope> envelopes; ///< One a record.
  /// Records after which roundings alone decide which way the program takes.
  size_t comparable;
};

/// The first NaN of `records`: its record and its element.
std::optional<std::pair<size_t, int64_t>> firstNan(const std::vector<ProbeRecord> &records);

} // namespace metile::tools
