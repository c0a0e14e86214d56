// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of cases: taken apart, matched by globs, and explained when they do not fit.

#include "metile/case.h"

#include "Glob.h"

#include "Support/DTypePrefix.h"
#include "Support/Nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace metile {

/// A size of more digits than this is a slip of the finger, and so is more work.
static constexpr int64_t largestSize = int64_t(1) << 31, largestProduct = int64_t(1) << 56;

std::string CaseFamily::pattern() const {
  std::string text = "DTYPE_";
  for (size_t i = 0; i < axes.size(); ++i)
    text += (i ? "x" : "") + axes[i];
  if (suffixes.empty())
    return text;
  text += "[";
  for (size_t i = 0; i < suffixes.size(); ++i)
    text += (i ? "|_" : "_") + suffixes[i];
  return text + "]";
}

/// The parts of `text` between `separator`s.
static std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

Result<Case> CaseFamily::parse(std::string_view name) const {
  auto mistake = [&](std::string why) -> Errors {
    std::vector<std::string> near = nearestNames(name, defaults);
    std::string change = near.empty() ? "" : "did you mean " + listNames(near) + "?";
    if (near.empty() && !defaults.empty())
      change = fmt::format("for example {}", defaults.front());
    return error(fmt::format("kernel {} has no case '{}': {}", kernel, name, why),
                 fmt::format("a case is named {}", pattern()), change);
  };
  if (name.find('_') == name.npos)
    return mistake("there is no '_' between dtype and sizes");

  CaseName parsed;
  parsed.text = name;
  std::vector<std::string> dtypeNames;
  for (DType dtype : dtypes)
    dtypeNames.emplace_back(longName(dtype));
  std::string_view rest = name;
  std::optional<DType> dtype = takeDType(rest);
  if (!dtype || std::find(dtypes.begin(), dtypes.end(), *dtype) == dtypes.end())
    return mistake(fmt::format("its dtype '{}' is none of {}",
                               dtype ? longName(*dtype) : name.substr(0, name.find('_')),
                               listNames(dtypeNames)));
  parsed.dtype = *dtype;

  std::vector<std::string_view> parts = split(rest, '_');
  int64_t product = 1;
  for (std::string_view text : split(parts[0], 'x')) {
    int64_t size = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (text.empty() || code != std::errc() || end != text.data() + text.size())
      return mistake(fmt::format("'{}' is no size", text));
    if (size < 1 || size > largestSize)
      return mistake(fmt::format("size {} is not between 1 and {}", size, largestSize));
    parsed.sizes.push_back(size);
    if (__builtin_mul_overflow(product, size, &product) || product > largestProduct)
      return mistake("its sizes multiply to more than 2^56");
  }
  if (parsed.sizes.size() != axes.size())
    return mistake(fmt::format("it has {} sizes instead of {}", parsed.sizes.size(), axes.size()));

  if (parts.size() == 2)
    parsed.suffix = parts[1];
  bool known = parsed.suffix.empty() ||
               std::find(suffixes.begin(), suffixes.end(), parsed.suffix) != suffixes.end();
  if (parts.size() > 2 || !known || (parts.size() == 2 && parsed.suffix.empty()))
    return mistake(fmt::format("'{}' cannot stand after the sizes", rest.substr(parts[0].size())));

  Result<Case> made = make(parsed);
  if (!made)
    return made;
  made->name = parsed.text;
  made->kernel = kernel;
  made->dtype = parsed.dtype;
  made->shape = parsed.sizes;
  return made;
}

Result<std::vector<std::string>> CaseFamily::select(const std::vector<std::string> &texts) const {
  if (texts.empty())
    return defaults;
  std::vector<std::string> chosen;
  auto take = [&](const std::string &name) {
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end())
      chosen.push_back(name);
  };
  for (const std::string &text : texts) {
    if (text.find_first_of("*?") == text.npos) {
      take(text);
      continue;
    }
    bool any = false;
    for (const std::string &name : defaults) {
      if (!matchesGlob(name, text))
        continue;
      any = true;
      take(name);
    }
    if (!any)
      return error(fmt::format("no default case of kernel {} matches '{}'", kernel, text),
                   fmt::format("its default cases are {}", listNames(defaults, "and")),
                   fmt::format("any other case can be named in full: {}", pattern()));
  }
  return chosen;
}

} // namespace metile
