// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/ChildProgram.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace metile::emulator {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  void closeEnd(int end) {
    if (ends[end] >= 0)
      close(ends[end]);
    ends[end] = -1;
  }
};

/// Empties both pipes, so that neither blocks the child.
void drain(Pipe &out, std::string &output, Pipe &err, std::string &errors) {
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    pollfd waits[2] = {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
    if (poll(waits, 2, -1) < 0) {
      if (errno == EINTR)
        continue;
      return;
    }
    auto take = [](Pipe &pipe, short events, std::string &into) {
      if (!events || pipe.ends[0] < 0)
        return;
      char buffer[65536];
      ssize_t count = read(pipe.ends[0], buffer, sizeof buffer);
      if (count > 0)
        into.append(buffer, static_cast<size_t>(count));
      else if (count == 0 || errno != EINTR)
        pipe.closeEnd(0);
    };
    take(out, waits[0].revents, output);
    take(err, waits[1].revents, errors);
  }
}

} // namespace

Result<ProgramResult> runProgram(const std::vector<std::string> &words) {
  Pipe out, err;
  if (!out.open() || !err.open())
    return error("cannot make a pipe: " + std::string(std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return error("cannot run " + words[0] + ": " + std::strerror(failed));
  out.closeEnd(1);
  err.closeEnd(1);
  ProgramResult result;
  drain(out, result.output, err, result.errors);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

std::string findProgram(const std::string &name) {
  if (name.find('/') != name.npos)
    return access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char *path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/bin:/bin";
  for (size_t start = 0; start <= folders.size();) {
    size_t end = std::min(folders.find(':', start), folders.size());
    std::string candidate = folders.substr(start, end - start) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0)
      return candidate;
    start = end + 1;
  }
  return {};
}

} // namespace metile::emulator
