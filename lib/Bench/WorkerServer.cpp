// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker's end of the worker protocol.
#include "Bench/Worker.h"
#include "Support/Json.h"

#include <array>
#include <cerrno>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

namespace metile::bench {
namespace {

constexpr int64_t mostThreads = 4096;

bool writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t wrote = write(descriptor, text.data(), text.size());
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote <= 0)
      return false;
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

Json textOrNull(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

Json parsedOrNull(const std::string &text) {
  if (text.empty())
    return nullptr;
  Result<Json> parsed = parseJson(text, "report");
  return parsed ? std::move(*parsed) : Json(text);
}

Result<ArgumentSet> openArguments(const Json &request) {
  std::vector<Argument> list;
  std::vector<size_t> offsets;
  for (const Json &source : request["arguments"].elements()) {
    Argument argument;
    argument.name = source["name"].asString();
    std::optional<DType> dtype = parseDType(source["dtype"].asString());
    if (!dtype)
      return error(fmt::format("argument '{}' has the unknown dtype '{}'", argument.name,
                               source["dtype"].asString()));
    argument.dtype = *dtype;
    argument.input = source["input"].asBool(true);
    argument.output = source["output"].asBool();
    argument.isScalar = source.contains("bits");
    argument.scalar = static_cast<uint64_t>(source["bits"].asInteger());
    for (const Json &size : source["sizes"].elements())
      argument.sizes.push_back(size.asInteger());
    for (const Json &stride : source["strides"].elements())
      argument.strides.push_back(stride.asInteger());
    if (argument.sizes.size() != argument.strides.size())
      return error(fmt::format("argument '{}' has {} sizes and {} strides", argument.name,
                               argument.sizes.size(), argument.strides.size()));
    int64_t bytes = source["bytes"].asInteger(), offset = source["offset"].asInteger();
    if (bytes < 0 || offset < 0)
      return error(fmt::format("argument '{}' has a negative offset or size", argument.name));
    argument.bytes = static_cast<size_t>(bytes);
    offsets.push_back(static_cast<size_t>(offset));
    list.push_back(std::move(argument));
  }
  const Json &memory = request["memory"];
  int64_t bytes = memory["bytes"].asInteger();
  if (bytes <= 0)
    return error("the request names no shared memory");
  return ArgumentSet::open(std::move(list), offsets, memory["path"].asString(),
                           static_cast<size_t>(bytes));
}

class Server {
public:
  Server(int out, const std::string &producer, const WorkerFactory &factory)
      : out(out), producer(producer), factory(factory) {}

  /// False when it is time to leave.
  bool serve(std::string_view line) {
    Result<Json> parsed = parseJson(line, "request");
    if (!parsed)
      return refuse(nullptr, plainText(parsed.errors()));
    const Json &request = *parsed, &id = request["id"];
    const std::string &op = request["op"].asString();
    if (op == "quit")
      return false;
    if (op == "run")
      return run(request, id);
    if (op == "prepare")
      return prepare(request, id);
    if (op == "hello")
      return hello(request, id);
    return refuse(id, fmt::format("unknown op '{}'", op));
  }

private:
  bool answer(const Json &json) { return writeAll(out, json.dump() + "\n"); }
  bool refuse(const Json &id, const std::string &message) {
    return answer(Json::object({{"op", "error"}, {"id", id}, {"message", message}}));
  }

  bool hello(const Json &request, const Json &id) {
    if (request["protocol"].asString() != workerProtocolName ||
        request["version"].asInteger() != workerProtocolVersion)
      return refuse(id, fmt::format("asked for '{}' version {}; this worker speaks '{}' version {}",
                                    request["protocol"].asString(), request["version"].dump(),
                                    workerProtocolName, workerProtocolVersion));
    return answer(Json::object({{"op", "hello"},
                                {"id", id},
                                {"protocol", workerProtocolName},
                                {"version", workerProtocolVersion},
                                {"producer", producer}}));
  }

  bool prepare(const Json &request, const Json &id) {
    variant.reset();
    arguments.reset();
    Result<ArgumentSet> opened = openArguments(request);
    if (!opened)
      return refuse(id, plainText(opened.errors()));
    arguments.emplace(std::move(*opened));
    WorkerRequest wanted;
    wanted.kernel = request["kernel"].asString();
    wanted.caseName = request["case"].asString();
    wanted.variant = request["variant"].asString();
    int64_t threads = request["threads"].asInteger(1);
    if (threads < 1 || threads > mostThreads)
      return refuse(id, fmt::format("'threads' must be an integer from 1 to {}", mostThreads));
    wanted.threads = static_cast<unsigned>(threads);
    Result<std::unique_ptr<BenchVariant>> made = factory(wanted, *arguments);
    if (!made)
      return refuse(id, plainText(made.errors()));
    variant = std::move(*made);
    VariantDescription d = variant->describe();
    Json ready = Json::object({{"op", "ready"}, {"id", id}});
    ready["schedule"] = parsedOrNull(d.scheduleJson);
    ready["report"] = parsedOrNull(d.reportJson);
    ready["source_sha256"] = textOrNull(d.sourceSha256);
    ready["compiler_sha256"] = textOrNull(d.compilerSha256);
    ready["device"] = textOrNull(d.device);
    ready["threads"] = d.threads;
    ready["compile_us"] = d.compileUs;
    ready["notes"] = Json::list(d.notes);
    Json tools = Json::object();
    for (const auto &[tool, version] : d.tools)
      tools[tool] = version;
    ready["tools"] = std::move(tools);
    return answer(ready);
  }

  bool run(const Json &request, const Json &id) {
    if (!variant)
      return refuse(id, "'run' before a 'prepare' that succeeded");
    int64_t launches = request["launches"].asInteger(-1);
    if (launches < 0)
      return refuse(id, "'launches' must be an integer from 0 on");
    Result<std::optional<double>> ran = variant->run(launches);
    if (!ran)
      return refuse(id, plainText(ran.errors()));
    return answer(
        Json::object({{"op", "done"}, {"id", id}, {"gpu_us", *ran ? Json(**ran) : Json(nullptr)}}));
  }

  int out;
  const std::string &producer;
  const WorkerFactory &factory;
  // The variant works on the arguments, so it must go first.
  std::optional<ArgumentSet> arguments;
  std::unique_ptr<BenchVariant> variant;
};

} // namespace

int serveWorker(int inFd, int outFd, const std::string &producer, const WorkerFactory &factory) {
  // Whatever a kernel or a library prints must not land among the answers.
  int out = dup(outFd);
  if (outFd == STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO);
  int code = 0;
  {
    Server server(out, producer, factory);
    std::string pending;
    std::array<char, 16384> buffer;
    for (bool serving = true; serving;) {
      size_t newline = pending.find('\n');
      if (newline != std::string::npos) {
        std::string line = pending.substr(0, newline);
        pending.erase(0, newline + 1);
        serving = server.serve(line);
        continue;
      }
      ssize_t got = read(inFd, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        code = 2;
      if (got <= 0)
        break;
      pending.append(buffer.data(), static_cast<size_t>(got));
    }
  }
  close(out);
  return code;
}

} // namespace metile::bench
