// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The TOML file beside a kernel: the options of `metile check` as keys.

#include "CheckPlan.h"

#include "Support/Nearest.h"

#include <fmt/format.h>
#include <toml.hpp>

#include <algorithm>
#include <filesystem>

namespace metile::tools {

namespace {

class FileReader {
public:
  explicit FileReader(const std::string &path) : path(path) {}

  Result<std::vector<CheckWords>> run(const std::string &text) {
    try {
      std::istringstream stream(text);
      toml::value root = toml::parse(stream, path);
      readRoot(root);
    } catch (const toml::exception &mistake) {
      // The library's message has many lines; the first says what is wrong.
      std::string message = mistake.what();
      message = message.substr(0, message.find('\n'));
      for (std::string_view noise : {"[error] ", "toml::"})
        if (size_t at = message.find(noise); at != message.npos)
          message.erase(at, noise.size());
      Location at{path,
                  static_cast<uint32_t>(mistake.location().line()),
                  static_cast<uint32_t>(mistake.location().column()),
                  {}};
      return error(at, message);
    }
    if (!errors.diagnostics.empty())
      return std::move(errors);
    if (checks.empty())
      return error(path + " describes no check", "each stands in a table [[check]]");
    return std::move(checks);
  }

private:
  void add(const toml::value &at, std::string found, std::string allowed = {},
           std::string change = {}) {
    toml::source_location place = at.location();
    errors.diagnostics.push_back(
        {{path, static_cast<uint32_t>(place.line()), static_cast<uint32_t>(place.column()), {}},
         std::move(found),
         std::move(allowed),
         std::move(change)});
  }

  void readRoot(const toml::value &root) {
    for (const auto &[key, value] : root.as_table()) {
      bool isChecks = key == "check" && value.is_array();
      if (!isChecks) {
        add(value, fmt::format("'{}' is no part of a check file", key),
            "each check stands in a table [[check]]");
        continue;
      }
      for (const toml::value &check : value.as_array())
        if (check.is_table())
          readCheck(check);
        else
          add(check, "'check' has a value of the wrong kind",
              "each check stands in a table [[check]]");
    }
  }

  void readCheck(const toml::value &table) {
    static const std::vector<std::string> known = {
        "kernel",   "grid",   "grid-threads", "threads", "buffer", "threadgroup-memory",
        "constant", "expect", "save",         "only",    "fast",   "tolerance"};
    CheckWords words;
    for (const auto &[key, value] : table.as_table()) {
      if (key == "kernel")
        words.kernel = text(key, value);
      else if (key == "grid")
        words.grid = list(key, value);
      else if (key == "grid-threads")
        words.gridThreads = list(key, value);
      else if (key == "threads")
        words.threads = list(key, value);
      else if (key == "buffer")
        words.buffers = assignments(key, value, false);
      else if (key == "threadgroup-memory")
        words.threadgroupMemory = assignments(key, value, false);
      else if (key == "constant")
        words.constants = assignments(key, value, false);
      else if (key == "expect")
        words.expects = assignments(key, value, true);
      else if (key == "save")
        words.saves = assignments(key, value, true);
      else if (key == "only")
        words.only = {list(key, value)};
      else if (key == "fast" && value.is_boolean())
        words.fast = value.as_boolean();
      else if (key == "tolerance" && value.is_floating())
        words.tolerance = value.as_floating();
      else if (std::find(known.begin(), known.end(), key) != known.end())
        add(value, fmt::format("'{}' has a value of the wrong kind", key));
      else {
        std::vector<std::string> near = nearestNames(key, known);
        add(value, fmt::format("unknown key '{}'", key), "known: " + listNames(known, "and"),
            near.empty() ? "" : fmt::format("did you mean {}?", listNames(near)));
      }
    }
    checks.push_back(std::move(words));
  }

  /// A string, number or boolean as the command line would have it.
  std::string text(const std::string &key, const toml::value &value) {
    if (value.is_string())
      return value.as_string().str;
    if (value.is_integer())
      return std::to_string(value.as_integer());
    if (value.is_boolean())
      return value.as_boolean() ? "true" : "false";
    if (value.is_floating())
      return fmt::format("{}", value.as_floating());
    add(value, fmt::format("'{}' has a value of the wrong kind", key), "text or a number");
    return {};
  }

  /// An array joined by commas, or one value.
  std::string list(const std::string &key, const toml::value &value) {
    if (!value.is_array())
      return text(key, value);
    std::string joined;
    for (const toml::value &element : value.as_array())
      joined += (joined.empty() ? "" : ",") + text(key, element);
    return joined;
  }

  std::vector<std::string> assignments(const std::string &key, const toml::value &value,
                                       bool isFile) {
    std::vector<std::string> result;
    if (!value.is_table()) {
      add(value, fmt::format("'{}' has a value of the wrong kind", key),
          fmt::format("a table: {} = {{ 0 = … }}", key));
      return result;
    }
    for (const auto &[name, entry] : value.as_table()) {
      std::string words = text(key, entry);
      bool isArray = key == "buffer" && words.ends_with(".npy");
      if (isFile || isArray)
        words = (std::filesystem::path(path).parent_path() / words).string();
      result.push_back(name + "=" + words);
    }
    // The library keeps tables unordered.
    std::sort(result.begin(), result.end());
    return result;
  }

  const std::string &path;
  std::vector<CheckWords> checks;
  Errors errors;
};

} // namespace

Result<std::vector<CheckWords>> parseCheckFile(const std::string &text, const std::string &path) {
  return FileReader(path).run(text);
}

Result<std::vector<CheckWords>> readCheckFile(const std::string &path) {
  Result<std::string> text = readFile(path);
  return text ? parseCheckFile(*text, path) : text.takeErrors();
}

} // namespace metile::tools
