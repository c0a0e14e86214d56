// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Selection.h"

#include "CommandLine.h"
#include "Verb.h"

#include "Support/Nearest.h"
#include "Target/HostCpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <dlfcn.h>

namespace metile::tools {

std::vector<std::string> kernelNames(const Registry &registry) {
  std::vector<std::string> names;
  for (const Kernel &kernel : registry.kernels)
    names.push_back(kernel.name());
  return names;
}

bool isLibraryPath(const std::string &text) {
  return text.find('/') != text.npos || text.ends_with(".so") || text.ends_with(".dylib");
}

Result<const Registry *> loadLibrary(const std::string &path) {
  static std::map<std::string, std::unique_ptr<Registry>> loaded;
  if (auto found = loaded.find(path); found != loaded.end())
    return found->second.get();
  std::error_code failed;
  if (!std::filesystem::exists(path, failed))
    return error(fmt::format("there is no file {}", path), "",
                 "name a shared library that exports its kernels with METILE_EXPORT_KERNELS");
  // Without a slash dlopen would search the system's folders.
  std::string file = path.find('/') == path.npos ? "./" + path : path;
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return error(fmt::format("cannot load {}: {}", path, dlerror()));
  auto *library = static_cast<const KernelLibrary *>(dlsym(handle, "metileKernelLibrary"));
  if (!library)
    return error(fmt::format("{} exports no kernels", path), "",
                 "add METILE_EXPORT_KERNELS(registry) { … } of metile/tool.h to it");
  if (library->version != registryVersion)
    return error(
        fmt::format("{} was built for version {} of the kernel registry", path, library->version),
        fmt::format("this program has version {}", registryVersion),
        "build it again with the headers of this program");
  auto registry = std::make_unique<Registry>();
  library->fill(*registry);
  return (loaded[path] = std::move(registry)).get();
}

static Result<Selection> selectFrom(const Registry &registry, const std::string &name,
                                    const std::string &text) {
  auto kernel = std::find_if(registry.kernels.begin(), registry.kernels.end(),
                             [&](const Kernel &kernel) { return kernel.name() == name; });
  if (kernel == registry.kernels.end())
    return unknownName("kernel", name, kernelNames(registry));
  Selection selection{*kernel, nullptr, text};
  for (const CaseFamily &family : registry.cases)
    if (family.kernel == name)
      selection.family = &family;
  return selection;
}

Result<Selection> select(const Registry &registry, const std::string &text) {
  size_t colon = text.rfind(':');
  std::string path = text.substr(0, colon);
  if (!isLibraryPath(path))
    return selectFrom(registry, text, text);
  Result<const Registry *> library = loadLibrary(path);
  if (!library)
    return library.takeErrors();
  std::vector<std::string> names = kernelNames(**library);
  if (colon != text.npos)
    return selectFrom(**library, text.substr(colon + 1), text);
  if (names.size() != 1)
    return error(fmt::format("{} has {} kernels", path, names.size()),
                 names.empty() ? "" : listNames(names, "and"),
                 names.empty() ? "" : fmt::format("for example {}:{}", path, names.front()));
  return selectFrom(**library, names.front(), text);
}

static Errors noCases(const Selection &selection) {
  return error(fmt::format("kernel {} has no cases", selection.kernel.name()), "",
               "add a CaseFamily for it to the registry (metile/case.h)");
}

Result<Case> Selection::parseCase(std::string_view name) const {
  if (!family)
    return noCases(*this);
  return family->parse(name);
}

Result<std::vector<std::string>>
Selection::selectCases(const std::vector<std::string> &texts) const {
  if (!family)
    return noCases(*this);
  return family->select(texts);
}

Result<std::string> Selection::defaultCase() const {
  Result<std::vector<std::string>> names = selectCases({});
  if (!names)
    return names.takeErrors();
  if (names->empty())
    return error(fmt::format("kernel {} has no default case", kernel.name()),
                 fmt::format("a case is named {}", family->pattern()), "name one with --case");
  return std::move(names->front());
}

Result<std::vector<ArgumentSpec>> argumentSpecs(const Kernel &kernel, const Case &made,
                                                unsigned alignment) {
  const std::vector<Kernel::Parameter> &parameters = kernel.parameters();
  Errors errors;
  auto mistake = [&](std::string found, std::string allowed) {
    errors.diagnostics.push_back(
        {{},
         fmt::format("case {} does not fit kernel {}: {}", made.name, kernel.name(), found),
         std::move(allowed),
         ""});
  };
  if (made.arguments.size() != parameters.size()) {
    std::vector<std::string> names;
    for (const Kernel::Parameter &parameter : parameters)
      names.push_back(parameter.name);
    mistake(fmt::format("it has {} arguments", made.arguments.size()),
            fmt::format("the kernel takes {}", listNames(names, "and")));
    return errors;
  }
  std::vector<ArgumentSpec> specs;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const CaseArgument &argument = made.arguments[i];
    bool isScalar = parameters[i].role == ArgumentRole::scalar;
    if (argument.name != parameters[i].name)
      mistake(fmt::format("argument {} is called '{}'", i, argument.name),
              fmt::format("the kernel calls it '{}'", parameters[i].name));
    if (argument.isScalar() != isScalar)
      mistake(fmt::format("argument '{}' has {} sizes", argument.name, argument.sizes.size()),
              isScalar ? "a scalar has none" : "a view or pointer has at least one");
    if (!argument.strides.empty() && argument.strides.size() != argument.sizes.size())
      mistake(fmt::format("argument '{}' has {} sizes and {} strides", argument.name,
                          argument.sizes.size(), argument.strides.size()),
              "one stride for each size, or none");
    ArgumentSpec spec;
    spec.dtype = argument.dtype;
    spec.sizes = argument.sizes;
    spec.strides = argument.strides;
    spec.alignment = std::max(alignment, byteSize(argument.dtype));
    spec.value = isInteger(argument.dtype) ? static_cast<int64_t>(argument.value) : 0;
    // Behind a pointer there are no sizes to rely on.
    if (parameters[i].role == ArgumentRole::pointer) {
      spec.sizes.clear();
      spec.strides.clear();
    }
    specs.push_back(std::move(spec));
  }
  if (!errors.diagnostics.empty())
    return errors;
  return specs;
}

/// The values of the kernel's Options: those of the case, overruled by those of the command line.
static Result<std::vector<std::pair<std::string, int64_t>>>
optionValues(const Kernel &kernel, const Case &made, const std::vector<std::string> &texts) {
  std::vector<std::pair<std::string, int64_t>> values = made.options;
  std::vector<std::string> known;
  for (const Kernel::Constant &constant : kernel.constants())
    if (constant.isOption)
      known.push_back(constant.name);
  for (const std::string &text : texts) {
    auto assignment = splitAssignment(text, "NAME=NUMBER");
    if (!assignment)
      return assignment.takeErrors();
    auto &[name, number] = *assignment;
    std::optional<int64_t> value = parseInteger(number);
    if (!value)
      return error(fmt::format("option {} is set to '{}'", name, number), "a whole number");
    if (std::find(known.begin(), known.end(), name) == known.end())
      return unknownName(fmt::format("option of kernel {}", kernel.name()), name, known);
    std::erase_if(values, [&](const auto &pair) { return pair.first == name; });
    values.emplace_back(name, *value);
  }
  return values;
}

Result<Artifact> compileCase(const Kernel &kernel, const Case &made, const CompileRequest &request,
                             CompileTimings *timings) {
  CompileOptions options;
  if (!request.target.empty())
    options.target = request.target;
  options.schedule = request.schedule;
  options.threads = threadCount(request.threads);
  options.useCache = !request.noCache;
  options.probes = request.probes;
  if (request.facts == "none")
    options.sizes = SizeFacts::none;
  else if (request.facts == "divisibility")
    options.sizes = SizeFacts::divisibility;
  else if (request.facts == "exact")
    options.sizes = SizeFacts::exact;
  else
    return unknownName("kind of facts", request.facts, {"none", "divisibility", "exact"});
  auto values = optionValues(kernel, made, request.options);
  if (!values)
    return values.takeErrors();
  options.options = std::move(*values);
  Result<std::vector<ArgumentSpec>> specs = argumentSpecs(kernel, made, request.alignment);
  if (!specs)
    return specs.takeErrors();
  return metile::compile(kernel, *specs, options, timings);
}

unsigned threadCount(unsigned requested) { return requested ? requested : detectCores(); }

} // namespace metile::tools
