// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests of the front end: the types for which a kernel is traced, as a line of text.
// Not used by the library itself.
#pragma once

#include "Frontend/Frontend.h"

#include <algorithm>
#include <string>

namespace metile {

/// A kernel and the types for which it is traced, "a=f16:2 n=i32 BLOCK=64"; views not named are f32
/// of rank 2, pointers f32, scalars i32, constants their first value.
struct Sample {
  Kernel kernel;
  std::string types;
};

/// The specialization that `types` describes.
inline Specialization specialize(const Kernel &kernel, const std::string &types) {
  Specialization result;
  result.arguments = argumentsOf(kernel);
  auto valueOf = [&](const std::string &name) -> std::string {
    for (size_t at = 0; at < types.size();) {
      size_t end = std::min(types.find(' ', at), types.size());
      std::string word = types.substr(at, end - at);
      if (word.substr(0, word.find('=')) == name)
        return word.substr(word.find('=') + 1);
      at = end + 1;
    }
    return {};
  };
  for (ArgumentInfo &argument : result.arguments) {
    std::string text = valueOf(argument.name);
    argument.rank = argument.isView() ? 2 : 0;
    argument.dtype = argument.role == ArgumentRole::scalar ? i32 : f32;
    if (text.empty())
      continue;
    argument.dtype = *parseDType(text.substr(0, text.find(':')));
    if (argument.isView() && text.find(':') != std::string::npos)
      argument.rank = std::stoi(text.substr(text.find(':') + 1));
  }
  result.facts = defaultFacts(result.arguments);
  for (const Kernel::Constant &constant : kernel.constants()) {
    std::string text = valueOf(constant.name);
    if (!text.empty() || !constant.isOption)
      result.constants.emplace_back(constant.name,
                                    text.empty() ? constant.values.front() : std::stoll(text));
  }
  return result;
}

} // namespace metile
