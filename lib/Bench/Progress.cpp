// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/Progress.h"

#include "Bench/RecordView.h"
#include "Bench/Settle.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/core.h>
#include <unistd.h>

namespace metile::bench {
namespace {

std::string duration(double seconds) {
  auto whole = static_cast<long>(std::lround(seconds));
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{}:{:02} min", whole / 60, whole % 60);
}

std::string outcome(const CaseResult &result) {
  if (result.status == CaseStatus::refused) {
    const SideResult &side = result.baseline.ok() ? result.current : result.baseline;
    std::string first = side.error.substr(0, side.error.find('\n'));
    return fmt::format("refused ({}): {}", result.baseline.ok() ? "current" : "baseline", first);
  }
  std::string text =
      fmt::format("{} against {}, ratio {:.3f}, {}", formatTime(result.timeUs(Side::current)),
                  formatTime(result.timeUs(Side::baseline)), result.judgement.ratio,
                  name(result.judgement.verdict));
  return result.status == CaseStatus::incomplete ? text + " (incomplete)" : text;
}

class PlainProgress : public ProgressSink {
public:
  void beginRun(size_t cases) override { total = cases; }
  void beginCase(size_t index, const std::string &caseName) override {
    current = index;
    name = caseName;
    start = nowNs();
  }
  void endCase(const CaseResult &result) override {
    fmt::print(stderr, "[{}/{}] {}: {} ({:.1f} s)\n", current + 1, total, name, outcome(result),
               static_cast<double>(nowNs() - start) / 1e9);
  }

protected:
  size_t total = 0, current = 0;
  std::string name;
  int64_t start = 0;
};

class TerminalProgress final : public PlainProgress {
public:
  void beginCase(size_t index, const std::string &caseName) override {
    PlainProgress::beginCase(index, caseName);
    phase("");
  }
  void phase(const std::string &what) override { draw(what); }
  void block(unsigned done, unsigned of, double secondsLeft) override {
    constexpr unsigned cells = 20;
    unsigned full = done * cells / of;
    std::string bar;
    for (unsigned i = 0; i < cells; ++i)
      bar += i < full ? "█" : "░";
    left = secondsLeft;
    draw(fmt::format("{} {}/{} blocks", bar, done, of));
  }
  void endCase(const CaseResult &result) override {
    erase();
    PlainProgress::endCase(result);
  }

private:
  void erase() { fmt::print(stderr, "\r\033[K"); }
  void draw(const std::string &what) {
    std::string rest = left >= 0 ? fmt::format("  {} left", duration(left)) : "";
    fmt::print(stderr, "\r\033[K[{}/{}] {}  {}{}", current + 1, total, name, what, rest);
    std::fflush(stderr);
  }

  double left = -1;
};

volatile std::sig_atomic_t interruptCount = 0;

void onInterrupt(int) {
  interruptCount = interruptCount + 1;
  if (interruptCount > 1)
    _exit(130);
  constexpr char text[] = "\ninterrupted: keeping what was measured; once more to stop at once\n";
  // Nothing can be done here about a stderr that takes no more.
  [[maybe_unused]] ssize_t wrote = write(STDERR_FILENO, text, sizeof text - 1);
}

} // namespace

std::unique_ptr<ProgressSink> makeProgress(bool silent) {
  if (silent)
    return std::make_unique<ProgressSink>();
  if (isatty(STDERR_FILENO))
    return std::make_unique<TerminalProgress>();
  return std::make_unique<PlainProgress>();
}

std::function<bool()> watchInterrupts() {
  struct sigaction action{};
  action.sa_handler = onInterrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return [] { return interruptCount != 0; };
}

} // namespace metile::bench
