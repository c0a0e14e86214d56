// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reproducers of metile-fuzz.

#include "ParserTarget.h"

#include "../Program.h"
#include "Contexts.h"

namespace metile::fuzz {

void feedReproducer(std::string_view input) {
  mlir::MLIRContext &context = freshContext();
  Result<Program> program = parse(std::string(input), "input.mlir", context);
  if (!program)
    return requireForm(program.errors());
  Result<Program> again = parse(print(*program), "again.mlir", context);
  require(again && print(*again) == print(*program), "a program reads back as it prints");
}

} // namespace metile::fuzz
