// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent's end of the worker protocol.
#include "Bench/Worker.h"

#include "Bench/ChildProcess.h"
#include "Support/Json.h"

#include <fmt/format.h>
#include <unistd.h>

namespace metile::bench {
namespace {

Json argumentsJson(const ArgumentSet &set) {
  Json list = Json::array();
  for (const Argument &argument : set.arguments()) {
    Json one = Json::object();
    one["name"] = argument.name;
    one["dtype"] = name(argument.dtype);
    one["input"] = argument.input;
    one["output"] = argument.output;
    if (argument.isScalar) {
      one["bits"] = static_cast<int64_t>(argument.scalar);
    } else {
      one["sizes"] = Json::list(argument.sizes);
      one["strides"] = Json::list(argument.strides);
      one["offset"] = static_cast<int64_t>(set.sharedOffset(argument));
      one["bytes"] = static_cast<int64_t>(argument.bytes);
    }
    list.push(std::move(one));
  }
  return list;
}

std::string jsonText(const Json &json) { return json.isNull() ? std::string() : json.dump(); }

class RemoteVariant final : public BenchVariant {
public:
  RemoteVariant(ChildProcess child, const WorkerOptions &options)
      : child(std::move(child)), options(options) {}

  ~RemoteVariant() override {
    // A worker that is gone already cannot be asked to leave; that is no failure.
    (void)this->child.writeLine(R"({"op":"quit"})");
  }

  Status hello();
  Status prepare(const Case &benchCase, const ArgumentSet &arguments);

  Result<std::optional<double>> run(int64_t launches) override {
    Json request = Json::object({{"op", "run"}, {"launches", launches}});
    Result<Json> answer = ask(std::move(request), "done", options.runSeconds);
    if (!answer)
      return answer.takeErrors();
    const Json &time = (*answer)["gpu_us"];
    return time.isNumber() ? std::optional<double>(time.asNumber()) : std::nullopt;
  }

  VariantDescription describe() const override { return description; }
  bool isRemote() const override { return true; }
  int64_t remoteProcess() const override { return child.processId(); }

private:
  /// Sends `request` and waits for the answer `op` to it.
  Result<Json> ask(Json request, std::string_view op, double seconds);

  ChildProcess child;
  WorkerOptions options;
  VariantDescription description;
  std::string producer;
  int64_t lastId = 0;
};

Result<Json> RemoteVariant::ask(Json request, std::string_view op, double seconds) {
  request["id"] = ++lastId;
  if (Status sent = child.writeLine(request.dump()); !sent)
    return sent.takeErrors();
  Result<std::string> line = child.readLine(seconds);
  if (!line)
    return line.takeErrors();
  Result<Json> answer = parseJson(*line, options.label);
  std::string shown = line->size() > 120 ? line->substr(0, 120) + "…" : *line;
  if (!answer || !answer->isObject())
    return child.failure(fmt::format("wrote something that is no message of the worker protocol: "
                                     "'{}'",
                                     shown));
  if ((*answer)["op"].asString() == "error")
    return error(fmt::format("{}: {}", options.label, (*answer)["message"].asString()));
  if ((*answer)["op"].asString() != op || (*answer)["id"].asInteger(-1) != lastId)
    return child.failure(
        fmt::format("answered '{}' where '{}' with id {} was due", shown, op, lastId));
  return answer;
}

Status RemoteVariant::hello() {
  Json request = Json::object(
      {{"op", "hello"}, {"protocol", workerProtocolName}, {"version", workerProtocolVersion}});
  Result<Json> answer = ask(std::move(request), "hello", options.helloSeconds);
  if (!answer)
    return answer.takeErrors();
  if ((*answer)["protocol"].asString() != workerProtocolName ||
      (*answer)["version"].asInteger() != workerProtocolVersion)
    return error(fmt::format("{} speaks '{}' version {}", options.label,
                             (*answer)["protocol"].asString(), (*answer)["version"].dump()),
                 fmt::format("'{}' version {}", workerProtocolName, workerProtocolVersion),
                 "use builds whose protocol versions agree");
  producer = (*answer)["producer"].asString();
  return Done{};
}

Status RemoteVariant::prepare(const Case &benchCase, const ArgumentSet &arguments) {
  Json request = Json::object();
  request["op"] = "prepare";
  request["kernel"] = benchCase.kernel;
  request["case"] = benchCase.name;
  request["variant"] = options.variant;
  request["threads"] = options.threads;
  request["memory"] = Json::object(
      {{"path", arguments.sharedPath()}, {"bytes", static_cast<int64_t>(arguments.sharedBytes())}});
  request["arguments"] = argumentsJson(arguments);
  Result<Json> answer = ask(std::move(request), "ready", options.prepareSeconds);
  if (!answer)
    return answer.takeErrors();
  const Json &ready = *answer;
  description.label = options.label;
  description.root = options.root;
  description.scheduleJson = jsonText(ready["schedule"]);
  description.reportJson = jsonText(ready["report"]);
  description.sourceSha256 = ready["source_sha256"].asString();
  description.compilerSha256 = ready["compiler_sha256"].asString();
  description.device = ready["device"].asString();
  description.threads = static_cast<unsigned>(ready["threads"].asInteger(options.threads));
  description.compileUs = ready["compile_us"].asNumber();
  description.notes.push_back(
      "runs in a process of its own; the round trip is taken off its times");
  for (const Json &note : ready["notes"].elements())
    description.notes.push_back(note.asString());
  for (const Json::Member &tool : ready["tools"].members())
    description.tools.emplace_back(tool.key, tool.value.asString());
  if (!producer.empty())
    description.tools.emplace_back("producer", producer);
  return Done{};
}

} // namespace

VariantSource workerSource(const WorkerOptions &options) {
  VariantSource source;
  source.label = options.label;
  source.needsSharedMemory = true;
  source.make = [options](const Case &benchCase,
                          const ArgumentSet &arguments) -> Result<std::unique_ptr<BenchVariant>> {
    Result<ChildProcess> child = ChildProcess::start(options.command, options.label);
    if (!child)
      return child.takeErrors();
    auto variant = std::make_unique<RemoteVariant>(std::move(*child), options);
    if (Status greeted = variant->hello(); !greeted)
      return greeted.takeErrors();
    if (Status prepared = variant->prepare(benchCase, arguments); !prepared)
      return prepared.takeErrors();
    return std::unique_ptr<BenchVariant>(std::move(variant));
  };
  return source;
}

VariantSource execSource(const std::string &command, unsigned threads) {
  WorkerOptions options;
  options.label = "exec:" + command;
  options.command = {"/bin/sh", "-c", command};
  options.threads = threads;
  return workerSource(options);
}

Result<VariantSource> rootSource(const std::string &path, unsigned threads) {
  WorkerOptions options;
  options.label = "root:" + path;
  options.root = path;
  options.threads = threads;
  for (const char *place : {"/bin/metile", "/build/bin/metile"})
    if (std::string program = path + place; access(program.c_str(), X_OK) == 0) {
      options.command = {program, "bench-worker"};
      return workerSource(options);
    }
  return error(fmt::format("there is no build of meTile in '{}'", path),
               "a directory that holds bin/metile or build/bin/metile",
               "build it there, or name another directory");
}

} // namespace metile::bench
