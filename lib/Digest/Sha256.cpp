// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Digest/Sha256.h"

#include <array>
#include <cassert>
#include <fstream>
#include <vector>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace metile {

struct Sha256::Context {
  // Reading the system's configuration takes longer than most digests, and it has no say in them.
  Context() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

  EVP_MD_CTX *digest = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context(std::make_unique<Context>()) {
  [[maybe_unused]] int started = EVP_DigestInit_ex(context->digest, EVP_sha256(), nullptr);
  assert(started == 1 && "libcrypto has no SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(context->digest, bytes.data(), bytes.size());
}

void Sha256::update(std::string_view text) {
  update(std::as_bytes(std::span(text.data(), text.size())));
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  EVP_DigestFinal_ex(context->digest, digest.data(), &length);
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += digits[digest[i] >> 4];
    text += digits[digest[i] & 15];
  }
  return text;
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string sha256OfFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return {};
  Sha256 hash;
  std::vector<char> buffer(1 << 16);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash.update(std::string_view(buffer.data(), static_cast<size_t>(file.gcount())));
  }
  return file.bad() ? std::string() : hash.finish();
}

} // namespace metile
