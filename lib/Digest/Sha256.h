// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 of bytes and files as lower-case hexadecimal. Knows nothing of what is hashed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace metile {

class Sha256 {
public:
  Sha256();
  ~Sha256();
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);
  /// 64 digits. Ends the computation.
  std::string finish();

private:
  struct Context;
  std::unique_ptr<Context> context;
};

std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);
/// Of a file's contents; empty if it cannot be read.
std::string sha256OfFile(const std::string &path);

} // namespace metile
