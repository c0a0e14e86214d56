// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang: the compiler as a program: preprocesses Metal text, compiles rewritten text to a shared
// library, and turns what it complains about into diagnostics at the user's places. Must not know
// what the rewriter does.
#pragma once

#include "Emulator/SourceMap.h"
#include "metile/emulator.h"

namespace metile::emulator {

class Clang {
public:
  /// $METILE_CLANG, or the newest clang++ in $PATH. None is an error.
  static Result<Clang> find();

  const std::string &path() const { return program; }
  /// Tells apart two installations; does not run the program.
  std::string identity() const;
  /// An error if the program is no clang, or too old. `shimFolder` remembers one that is right.
  Status checkVersion(const std::string &shimFolder) const;
  /// Compiles the emulator's headers ahead of any kernel, once for each `shimFolder`; what compiles
  /// kernels there is faster from then on.
  void precompileShim(const std::string &shimFolder, Checking checking) const;

  /// The text of `file` with its includes. `shimFolder` holds the emulator's headers.
  Result<std::string> preprocess(const Source &source, const std::string &file,
                                 const std::string &shimFolder) const;
  /// Compiles `file`, which `map` leads back to the user's text, to the shared library `library`.
  Status compile(const std::string &file, const std::string &library, const SourceMap &map,
                 const std::string &shimFolder, Checking checking) const;
  /// Only looks for errors.
  Status checkSyntax(const std::string &file, const SourceMap &map,
                     const std::string &shimFolder) const;

private:
  explicit Clang(std::string program) : program(std::move(program)) {}

  std::string program;
};

} // namespace metile::emulator
