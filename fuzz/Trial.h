// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trial: runs a program on the interpreter and on a device, with every schedule it names, and
// compares what each left in memory. Must not know how the program was made.
#pragma once

#include "Program.h"

#include "metile/runtime.h"

namespace metile::fuzz {

struct Outcome {
  enum class Kind : uint8_t {
    agrees,
    undefined, ///< The interpreter found the program itself at fault.
    refused,   ///< Some compiler did not take it.
    differs,
  };
  Kind kind = Kind::agrees;
  std::string text; ///< What went wrong, several lines.
};

/// A device that is compared with the interpreter.
struct Subject {
  std::string target;
  Device device;
};

class Trial {
public:
  Trial(Device reference, std::vector<Subject> subjects)
      : reference(std::move(reference)), subjects(std::move(subjects)) {}

  Outcome run(const Program &program) const;

private:
  Device reference;
  std::vector<Subject> subjects;
};

/// Opens the interpreter and the devices called `names`.
Result<Trial> openTrial(const std::vector<std::string> &names);

} // namespace metile::fuzz
