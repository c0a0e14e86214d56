// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker's end of the benchmark's protocol: lines of requests.

#include "ParserTarget.h"

#include "Bench/Worker.h"
#include "Support/Json.h"

#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace metile::fuzz {

namespace {

/// Reads the memory that a request hands over, as a kernel would.
class Touching final : public bench::BenchVariant {
public:
  explicit Touching(const bench::ArgumentSet &arguments) : set(arguments) {}

  Result<std::optional<double>> run(int64_t) override {
    constexpr int64_t most = 64;
    double sum = 0;
    for (const bench::Argument &argument : set.arguments()) {
      if (argument.isScalar)
        continue;
      int64_t count = argument.count();
      for (int64_t i = 0; i < count; i += std::max<int64_t>(count / most, 1))
        sum += argument.read(i);
    }
    return std::optional(sum);
  }
  bench::VariantDescription describe() const override { return {}; }

private:
  const bench::ArgumentSet &set;
};

/// A file in memory.
struct MemoryFile {
  int descriptor = memfd_create("metile-fuzz", MFD_CLOEXEC);

  ~MemoryFile() { close(descriptor); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }
  void write(std::string_view text) const {
    ssize_t wrote = pwrite(descriptor, text.data(), text.size(), 0);
    require(wrote == static_cast<ssize_t>(text.size()), "the input fits into memory");
  }
  std::string read() const {
    std::string text(static_cast<size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
    ssize_t got = pread(descriptor, text.data(), text.size(), 0);
    require(got == static_cast<ssize_t>(text.size()), "what was written can be read");
    return text;
  }
};

} // namespace

void feedWorker(std::string_view input) {
  constexpr size_t sharedBytes = 65536;
  constexpr std::string_view memoryWord = "MEMORY";
  MemoryFile memory, requests, answers;
  memory.write(std::string(sharedBytes, '\0'));
  std::string text(input);
  for (size_t at; (at = text.find(memoryWord)) != text.npos;)
    text.replace(at, memoryWord.size(), memory.path());
  requests.write(text);
  int code = bench::serveWorker(
      requests.descriptor, answers.descriptor, "fuzz",
      [](const bench::WorkerRequest &request,
         const bench::ArgumentSet &arguments) -> Result<std::unique_ptr<bench::BenchVariant>> {
        require(request.threads >= 1, "a variant has at least one thread");
        return std::unique_ptr<bench::BenchVariant>(std::make_unique<Touching>(arguments));
      });
  require(code == 0, "a worker leaves at the end of its input");
  std::string written = answers.read();
  for (size_t begin = 0; begin < written.size();) {
    size_t end = written.find('\n', begin);
    require(end != written.npos, "each answer is a line");
    Result<Json> answer = parseJson(written.substr(begin, end - begin), "answer");
    require(answer && !(*answer)["op"].asString().empty(), "each answer has an op");
    begin = end + 1;
  }
}

} // namespace metile::fuzz
