// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile list: everything that may be named on a command line.

#include "CommandLine.h"
#include "Selection.h"
#include "Variants.h"

#include "Support/Json.h"
#include "Support/Nearest.h"
#include "Target/KnownTargets.h"
#include "Target/Schedule.h"

#include "metile/runtime.h"

#include <fmt/format.h>

#include <algorithm>

namespace metile::tools {

static std::string_view roleName(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::in:
    return "in";
  case ArgumentRole::out:
    return "out";
  case ArgumentRole::inout:
    return "inout";
  case ArgumentRole::pointer:
    return "pointer";
  case ArgumentRole::scalar:
    return "scalar";
  }
  return "";
}

static Json kernelsJson(const Registry &registry) {
  Json list = Json::array();
  for (const Kernel &kernel : registry.kernels) {
    Json arguments = Json::array(), constants = Json::array();
    for (const Kernel::Parameter &parameter : kernel.parameters())
      arguments.push(Json::object({{"name", parameter.name}, {"role", roleName(parameter.role)}}));
    for (const Kernel::Constant &constant : kernel.constants())
      constants.push(Json::object({{"name", constant.name},
                                   {"kind", constant.isOption ? "option" : "constant"},
                                   {"values", Json::list(constant.values)}}));
    list.push(Json::object(
        {{"name", kernel.name()}, {"arguments", arguments}, {"constants", constants}}));
  }
  return list;
}

static Json casesJson(const Registry &registry) {
  Json list = Json::array();
  for (const CaseFamily &family : registry.cases)
    list.push(Json::object({{"kernel", family.kernel},
                            {"pattern", family.pattern()},
                            {"default", Json::list(family.defaults)}}));
  return list;
}

static Json targetsJson() {
  Result<TargetDesc> host = hostTarget();
  Json list = Json::array();
  auto add = [&](const TargetDesc &target) {
    list.push(Json::object({{"name", target.name},
                            {"summary", target.summary},
                            {"runs_here", missingFeatures(target.featureList()).empty()},
                            {"default", host && host->name == target.name}}));
  };
  for (const TargetDesc &target : knownTargets())
    add(target);
  add(referenceTarget());
  return list;
}

static Json fieldsJson() {
  Json list = Json::array();
  for (const ScheduleFieldInfo &field : scheduleFields())
    list.push(Json::object({{"name", field.name},
                            {"range", field.range()},
                            {"targets", field.targets},
                            {"meaning", field.meaning}}));
  return list;
}

static Json variantsJson() {
  Json list = Json::array();
  for (const VariantForm &form : variantForms())
    list.push(Json::object({{"form", form.form}, {"meaning", form.meaning}}));
  return list;
}

static void printKernels(const Json &kernels) {
  for (const Json &kernel : kernels.elements()) {
    std::string arguments, constants;
    for (const Json &argument : kernel["arguments"].elements())
      arguments += fmt::format("{}{} {}", arguments.empty() ? "" : ", ",
                               argument["role"].asString(), argument["name"].asString());
    for (const Json &constant : kernel["constants"].elements()) {
      std::string values;
      for (const Json &value : constant["values"].elements())
        values += fmt::format("{}{}", values.empty() ? "" : "|", value.asInteger());
      constants += fmt::format("  {}={}", constant["name"].asString(), values);
    }
    fmt::print("  {:<15} {}\n", kernel["name"].asString(), arguments);
    if (!constants.empty())
      fmt::print("  {:<15}{}\n", "", constants);
  }
}

int list(const Registry &ours, const Words &words) {
  CommandLine line("list", "Shows everything that may be named on a command line.");
  std::string what;
  std::vector<std::string> sections = {"kernels", "cases",  "devices",
                                       "targets", "fields", "variants"};
  std::string where;
  line.app.add_option("WHAT", what,
                      "one of " + listNames(sections) +
                          ", all if missing; or a shared library, whose kernels are shown");
  line.app.add_option("SECTION", where, "of a library: kernels or cases");
  if (auto code = line.parse(words))
    return *code;
  Registry const *shown = &ours;
  if (isLibraryPath(what)) {
    Result<const Registry *> library = loadLibrary(what);
    if (!library)
      return fail(library.errors(), line.json);
    shown = *library;
    sections = {"kernels", "cases"};
    what = where;
  } else if (!where.empty()) {
    return fail(error("list shows one section, not " + what + " and " + where, "",
                      "name a library first: metile list ./libmine.so " + where),
                line.json);
  }
  const Registry &registry = *shown;
  if (!what.empty() && std::find(sections.begin(), sections.end(), what) == sections.end())
    return fail(unknownName("list", what, sections), line.json);
  auto wanted = [&](std::string_view section) {
    return what.empty() ? std::find(sections.begin(), sections.end(), section) != sections.end()
                        : what == section;
  };

  Json kernels = kernelsJson(registry), cases = casesJson(registry), targets = targetsJson(),
       fields = fieldsJson(), variants = variantsJson(), devices = Json::list(Device::names());
  if (line.json) {
    Json all = Json::object();
    for (auto &[name, content] :
         std::initializer_list<std::pair<const char *, const Json &>>{{"kernels", kernels},
                                                                      {"cases", cases},
                                                                      {"devices", devices},
                                                                      {"targets", targets},
                                                                      {"fields", fields},
                                                                      {"variants", variants}})
      if (wanted(name))
        all[name] = content;
    fmt::print("{}\n", all.dump(2));
    return exitFine;
  }
  if (wanted("kernels")) {
    fmt::print("kernels\n");
    printKernels(kernels);
  }
  if (wanted("cases")) {
    fmt::print(
        "cases (--case takes any name that fits the pattern, and globs over the defaults)\n");
    for (const CaseFamily &family : registry.cases) {
      fmt::print("  {:<15} {}\n", family.kernel, family.pattern());
      for (const std::string &name : family.defaults)
        fmt::print("  {:<15}   {}\n", "", name);
    }
  }
  if (wanted("devices")) {
    fmt::print("devices (--device)\n");
    for (const Json &device : devices.elements())
      fmt::print("  {}\n", device.asString());
  }
  if (wanted("targets")) {
    fmt::print("targets (--target)\n");
    for (const Json &target : targets.elements())
      fmt::print("  {:<15} {}{}\n", target["name"].asString(), target["summary"].asString(),
                 target["default"].asBool()     ? " (what \"cpu\" means here)"
                 : target["runs_here"].asBool() ? ""
                                                : " (this machine cannot run it)");
  }
  if (wanted("fields")) {
    fmt::print("fields of --schedule, beside the constants of a kernel\n");
    for (const Json &field : fields.elements())
      fmt::print("  {:<18} {:<24} {} ({})\n", field["name"].asString(), field["range"].asString(),
                 field["meaning"].asString(), field["targets"].asString());
  }
  if (wanted("variants")) {
    fmt::print("variants (--baseline, --current)\n");
    for (const Json &variant : variants.elements())
      fmt::print("  {:<22} {}\n", variant["form"].asString(), variant["meaning"].asString());
  }
  return exitFine;
}

} // namespace metile::tools
