// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bench/ChildProcess.h"

#include "Bench/Settle.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace metile::bench {
namespace {

constexpr size_t longestLine = size_t(64) << 20;
constexpr size_t keptErrors = 4096;

void closeIf(int &descriptor) {
  if (descriptor >= 0)
    close(descriptor);
  descriptor = -1;
}

/// Two connected sockets: writing to one whose reader is gone can be told not to raise SIGPIPE.
bool makeChannel(std::array<int, 2> &ends) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    return false;
  for (int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
    int on = 1;
    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  }
  return true;
}

#ifdef MSG_NOSIGNAL
constexpr int sendFlags = MSG_NOSIGNAL;
#else
constexpr int sendFlags = 0;
#endif

} // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string> &command,
                                         const std::string &label) {
  std::array<int, 2> in{-1, -1}, out{-1, -1}, err{-1, -1};
  ChildProcess child;
  child.label = label;
  bool made = makeChannel(in) && makeChannel(out) && makeChannel(err);
  child.input = in[0];
  child.output = out[0];
  child.errors = err[0];
  int outcome = made ? 0 : errno;
  if (made) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[1], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::vector<char *> words;
    for (const std::string &word : command)
      words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    pid_t pid = -1;
    outcome = posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    child.id = outcome == 0 ? pid : -1;
  }
  for (int end : {in[1], out[1], err[1]})
    if (end >= 0)
      close(end);
  if (outcome != 0)
    return error(fmt::format("cannot start '{}' for {}: {}", fmt::join(command, " "), label,
                             std::strerror(outcome)));
  return child;
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept { *this = std::move(other); }

ChildProcess &ChildProcess::operator=(ChildProcess &&other) noexcept {
  std::swap(label, other.label);
  std::swap(id, other.id);
  std::swap(input, other.input);
  std::swap(output, other.output);
  std::swap(errors, other.errors);
  std::swap(pending, other.pending);
  std::swap(errorTail, other.errorTail);
  return *this;
}

ChildProcess::~ChildProcess() {
  closeIf(input);
  stop();
  closeIf(output);
  closeIf(errors);
}

void ChildProcess::stop() {
  if (id < 0)
    return;
  auto pid = static_cast<pid_t>(id);
  id = -1;
  int status = 0;
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (waitpid(pid, &status, WNOHANG) == pid) {
      kill(-pid, SIGKILL); // What it may have left behind in its group.
      return;
    }
    usleep(2000);
  }
  kill(-pid, SIGKILL);
  waitpid(pid, &status, 0);
}

std::string ChildProcess::ending() {
  if (id < 0)
    return "had ended";
  int status = 0;
  auto pid = static_cast<pid_t>(id);
  // It closed its output; that it also ends may take a moment.
  for (int attempt = 0; attempt < 250; ++attempt) {
    pid_t waited = waitpid(pid, &status, WNOHANG);
    if (waited == pid) {
      id = -1;
      if (WIFSIGNALED(status))
        return fmt::format("was killed by signal {} ({})", WTERMSIG(status),
                           strsignal(WTERMSIG(status)));
      return fmt::format("ended with exit code {}", WEXITSTATUS(status));
    }
    usleep(2000);
  }
  return "closed its output";
}

void ChildProcess::drainErrors() {
  std::array<char, 4096> buffer;
  for (;;) {
    ssize_t got = errors < 0 ? 0 : recv(errors, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) {
      if (got == 0)
        closeIf(errors);
      return;
    }
    errorTail.append(buffer.data(), static_cast<size_t>(got));
    if (errorTail.size() > keptErrors)
      errorTail.erase(0, errorTail.size() - keptErrors);
  }
}

Errors ChildProcess::failure(const std::string &what) {
  drainErrors();
  std::string text = fmt::format("the process of {} {}", label, what);
  if (!errorTail.empty()) {
    std::string tail = errorTail;
    while (!tail.empty() && tail.back() == '\n')
      tail.pop_back();
    // A few lines say what happened; the rest is noise in a table.
    size_t from = tail.size();
    for (int lines = 0; lines < 8 && from != std::string::npos && from > 0; ++lines)
      from = tail.rfind('\n', from - 1);
    tail = from == std::string::npos || from == 0 ? tail : tail.substr(from + 1);
    text += fmt::format("; it wrote to stderr:\n{}", tail);
  }
  return error(text);
}

Status ChildProcess::writeLine(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (size_t sent = 0; sent < text.size();) {
    ssize_t wrote = send(input, text.data() + sent, text.size() - sent, sendFlags);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote <= 0)
      return failure(ending());
    sent += static_cast<size_t>(wrote);
  }
  return Done{};
}

Result<std::string> ChildProcess::readLine(double timeoutSeconds) {
  int64_t until = nowNs() + static_cast<int64_t>(timeoutSeconds * 1e9);
  size_t searched = 0;
  for (;;) {
    size_t newline = pending.find('\n', searched);
    if (newline != std::string::npos) {
      std::string line = pending.substr(0, newline);
      pending.erase(0, newline + 1);
      return line;
    }
    searched = pending.size();
    if (searched > longestLine)
      return failure(fmt::format("wrote more than {} MiB without a line's end", longestLine >> 20));
    int64_t left = until - nowNs();
    if (left <= 0)
      return failure(fmt::format("did not answer within {:g} s", timeoutSeconds));
    // A closed stderr is passed as -1, which poll leaves out.
    std::array<pollfd, 2> waits{pollfd{output, POLLIN, 0}, pollfd{errors, POLLIN, 0}};
    int ready = poll(waits.data(), waits.size(), static_cast<int>(left / 1'000'000 + 1));
    if (ready < 0 && errno != EINTR)
      return failure(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (ready <= 0)
      continue;
    if (waits[1].revents)
      drainErrors();
    if (!waits[0].revents)
      continue;
    std::array<char, 16384> buffer;
    ssize_t got = recv(output, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return failure(ending());
    pending.append(buffer.data(), static_cast<size_t>(got));
  }
}

} // namespace metile::bench
