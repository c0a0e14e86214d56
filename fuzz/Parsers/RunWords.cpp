// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and scalars as the words of `metile run`: one word a line.

#include "ParserTarget.h"

#include "metile/RunArguments.h"

#include <sstream>

namespace metile::fuzz {

void feedRunWords(std::string_view input) {
  static const std::vector<Kernel::Parameter> parameters = {
      {"a", ArgumentRole::in}, {"c", ArgumentRole::out}, {"n", ArgumentRole::scalar}};
  tools::RunWords words;
  words.random = true;
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line);)
    (line.starts_with("n") ? words.scalars : words.shapes).push_back(line);
  Result<tools::RunArguments> arguments = tools::runArguments("k", parameters, nullptr, words);
  if (!arguments)
    return requireForm(arguments.errors());
  require(arguments->made.arguments.size() == parameters.size(),
          "a case has the arguments of its kernel");
  for (const CaseArgument &argument : arguments->made.arguments)
    require(argument.count() >= 1, "an argument has elements that can be counted");
}

} // namespace metile::fuzz
