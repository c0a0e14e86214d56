// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result<T>, Diagnostic and Location: how every part of meTile reports a user's mistake.
// A mistake is a value, never an exception or an abort. Knows nothing of kernels, MLIR or devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace metile {

/// A place in a source file. `line` and `column` count from 1; 0 means unknown. `calledFrom` is the
/// chain of call sites that led here, innermost first.
struct Location {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::vector<Location> calledFrom;

  bool known() const { return line != 0; }
  /// "file:line:column", without the parts that are unknown; empty if nothing is known.
  std::string str() const;
};

/// One mistake: what was found, what is allowed here, what to change. The last two may be empty.
struct Diagnostic {
  Location location;
  std::string found;
  std::string allowed;
  std::string change;

  /// "found; allowed; change" without a place.
  std::string text() const;
  /// "file:line:column: error: found; allowed; change", one line more for each call site.
  std::string str() const;
};

/// The mistakes that kept an operation from its result; never empty.
struct Errors {
  std::vector<Diagnostic> diagnostics;
  /// Whether they say what running a kernel brought to light, rather than what kept something from
  /// running: programs exit with 1 for the former, with 2 for the latter.
  bool isFinding = false;

  Errors() = default;
  Errors(Diagnostic diagnostic) { diagnostics.push_back(std::move(diagnostic)); }
  /// All messages, one a line, at most 20; the rest are counted.
  std::string str() const;
};

/// An error without a place in a source file.
Errors error(std::string found, std::string allowed = {}, std::string change = {});
/// An error at `location`.
Errors error(Location location, std::string found, std::string allowed = {},
             std::string change = {});

/// Prints `errors` to stderr and exits with code 2.
[[noreturn]] void exitWith(const Errors &errors);

/// Either a T or the Errors that kept us from it.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Errors errors) : state(std::in_place_index<1>, std::move(errors)) {}

  bool ok() const { return state.index() == 0; }
  explicit operator bool() const { return ok(); }
  /// Requires ok().
  T &operator*() & { return *std::get_if<0>(&state); }
  const T &operator*() const & { return *std::get_if<0>(&state); }
  T &&operator*() && { return std::move(*std::get_if<0>(&state)); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  /// Requires !ok().
  const Errors &errors() const { return *std::get_if<1>(&state); }
  Errors takeErrors() { return std::move(*std::get_if<1>(&state)); }
  /// The value, or a message on stderr and exit code 2: for small programs.
  T orExit() && {
    if (!ok())
      exitWith(errors());
    return std::move(**this);
  }

private:
  std::variant<T, Errors> state;
};

/// Success or Errors.
struct Done {};
using Status = Result<Done>;

} // namespace metile
