// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/emulator_c.h"

#include "Support/Json.h"
#include "metile/emulator.h"

#include <cstdlib>
#include <cstring>
#include <exception>

using namespace metile;
using namespace metile::emulator;

struct MetileKernel {
  Kernel kernel;
};

static char *copyText(const std::string &text) {
  auto *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

static void setError(char **error, const std::string &message) {
  if (error)
    *error = copyText(message);
}

static std::vector<std::string> textsOf(const Json &list) {
  std::vector<std::string> texts;
  for (const Json &element : list.elements())
    texts.push_back(element.asString());
  return texts;
}

/// Members that nobody knows, so that a misspelt option does not pass unnoticed.
static Status checkMembers(const Json &json, std::initializer_list<std::string_view> known,
                           std::string_view what) {
  if (!json.isNull() && !json.isObject())
    return error(std::string(what) + " are no JSON object");
  for (const Json::Member &member : json.members()) {
    bool found = false;
    for (std::string_view name : known)
      found |= member.key == name;
    if (!found)
      return error("unknown member '" + member.key + "' of " + std::string(what));
  }
  return Done{};
}

static Result<MetileKernel *> build(const char *name, const char *text, const char *options) {
  Json json;
  if (options) {
    Result<Json> parsed = parseJson(options, "options");
    if (!parsed)
      return parsed.takeErrors();
    json = std::move(*parsed);
  }
  if (Status known = checkMembers(
          json, {"kernel", "checking", "constants", "cache", "include", "define"}, "options");
      !known)
    return known.takeErrors();
  Source source;
  source.name = name ? name : "kernel.metal";
  source.text = text ? text : "";
  source.includeFolders = textsOf(json["include"]);
  source.defines = textsOf(json["define"]);
  BuildOptions build;
  build.kernel = json["kernel"].asString();
  build.useCache = json["cache"].asBool(true);
  std::string checking = json["checking"].asString();
  if (!checking.empty() && checking != "full" && checking != "off")
    return error("checking '" + checking + "'", "full or off");
  build.checking = checking == "off" ? Checking::off : Checking::full;
  for (const Json::Member &member : json["constants"].members())
    build.constants[member.key] =
        member.value.isString() ? member.value.asString() : member.value.dump();
  Result<Kernel> kernel = Kernel::build(source, build);
  if (!kernel)
    return kernel.takeErrors();
  return new MetileKernel{std::move(*kernel)};
}

static Dimensions dimensionsOf(const Json &list, uint32_t otherwise) {
  Dimensions result = {otherwise, otherwise, otherwise};
  if (list.size() > 0)
    result = {1, 1, 1};
  for (size_t axis = 0; axis < 3 && axis < list.size(); ++axis)
    result[axis] = static_cast<uint32_t>(list[axis].asInteger());
  return result;
}

static Json reportJson(const Report &report) {
  Json findings = Json::array();
  for (const Finding &finding : report.findings) {
    const Location &at = finding.first.location;
    findings.push(Json::object({{"rule", name(finding.kind)},
                                {"message", finding.message},
                                {"variable", finding.variable},
                                {"file", at.file},
                                {"line", at.line},
                                {"column", at.column},
                                {"text", finding.first.text},
                                {"hint", finding.hint},
                                {"count", finding.count},
                                {"report", finding.str()}}));
  }
  return Json::object({{"microseconds", report.microseconds}, {"findings", findings}});
}

static Result<std::string> run(const Kernel &kernel, const char *launchText,
                               const MetileBuffer *buffers, size_t count) {
  Result<Json> json = parseJson(launchText ? launchText : "{}", "launch");
  if (!json)
    return json.takeErrors();
  if (Status known = checkMembers(
          *json,
          {"threadgroups", "grid_threads", "threads", "threadgroup_memory", "workers", "seconds"},
          "the launch");
      !known)
    return known.takeErrors();
  Launch launch;
  launch.threadgroups = dimensionsOf((*json)["threadgroups"], 0);
  launch.gridThreads = dimensionsOf((*json)["grid_threads"], 0);
  launch.threads = dimensionsOf((*json)["threads"], 1);
  launch.workers = static_cast<unsigned>((*json)["workers"].asInteger(0));
  launch.secondsLimit = (*json)["seconds"].asNumber(launch.secondsLimit);
  for (const Json::Member &member : (*json)["threadgroup_memory"].members())
    launch.threadgroupMemory[static_cast<uint32_t>(std::atoi(member.key.c_str()))] =
        static_cast<size_t>(member.value.asInteger());
  for (size_t i = 0; i < count; ++i)
    launch.buffers.push_back({buffers[i].index,
                              {},
                              buffers[i].data,
                              buffers[i].bytes,
                              0,
                              buffers[i].uninitialised != 0});
  Result<Report> report = kernel.launch(launch);
  if (!report)
    return report.takeErrors();
  return reportJson(*report).dump();
}

/// No exception may reach the caller; only running out of memory makes one.
template <class Body> static auto guarded(char **error, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception &mishap) {
    setError(error, mishap.what());
    return nullptr;
  }
}

MetileKernel *metileKernelBuild(const char *name, const char *text, const char *options,
                                char **error) {
  return guarded(error, [&]() -> MetileKernel * {
    Result<MetileKernel *> kernel = build(name, text, options);
    if (kernel)
      return *kernel;
    setError(error, kernel.errors().str());
    return nullptr;
  });
}

void metileKernelFree(MetileKernel *kernel) { delete kernel; }

char *metileKernelLaunch(MetileKernel *kernel, const char *launch, const MetileBuffer *buffers,
                         size_t bufferCount, char **error) {
  return guarded(error, [&]() -> char * {
    Result<std::string> report = run(kernel->kernel, launch, buffers, bufferCount);
    if (report)
      return copyText(*report);
    setError(error, report.errors().str());
    return nullptr;
  });
}

void metileTextFree(char *text) { std::free(text); }
