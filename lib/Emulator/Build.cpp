// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Build.h"

#include "Emulator/AddressSpaceLint.h"
#include "Emulator/Clang.h"
#include "Emulator/Rewriter.h"
#include "Emulator/ShimFiles.h"
#include "Support/Nearest.h"
#include "Target/KnownTargets.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace fs = std::filesystem;

namespace metile::emulator {

//===--- The emulator's headers on disk ---===//

/// Headers of Apple's that kernels include; all stand for the shim, whose macros alone the
/// preprocessor needs.
static constexpr std::string_view metalHeaders[] = {
    "metal_stdlib",          "metal_math",    "metal_simdgroup",     "metal_simdgroup_matrix",
    "metal_atomic",          "metal_integer", "metal_common",        "metal_geometric",
    "metal_compute",         "metal_logging", "metal_matrix",        "metal_types",
    "metal_graphics",        "metal_pack",    "metal_quadgroup",     "metal_relational",
    "metal_numeric",         "metal_limits",  "metal_array",         "metal_type_traits",
    "metal_uniform",         "metal_config",  "metal_assert",        "metal_packing",
    "metal_extended_vector", "simd/simd.h",   "TargetConditionals.h"};

static std::string shimKey() {
  std::string all;
  for (const ShimFile &file : shimFiles())
    (all += file.name) += file.text;
  for (std::string_view header : metalHeaders)
    all += header;
  return contentKey(all);
}

static void writeShim(const fs::path &folder) {
  std::error_code failed;
  fs::create_directories(folder / "metal" / "simd", failed);
  fs::create_directories(folder / "Shim", failed);
  for (const ShimFile &file : shimFiles())
    std::ofstream(folder / (file.name == "KernelAbi.h" ? "" : "Shim") / file.name, std::ios::binary)
        << file.text;
  for (std::string_view header : metalHeaders)
    std::ofstream(folder / "metal" / header, std::ios::binary)
        << "#include \"" << (header.find('/') == header.npos ? "../Shim/" : "../../Shim/")
        << "Constants.h\"\n";
}

/// The folder with the emulator's headers: in the cache, written once, or below `scratch`.
static Result<fs::path> shimFolder(const BuildCache &cache, const fs::path &scratch) {
  static const std::string key = shimKey();
  fs::path kept = cache.isOn() ? cache.folder() / ("shim-" + key) : fs::path();
  std::error_code failed;
  if (!kept.empty() && fs::exists(kept / "complete", failed))
    return kept;
  fs::path made = scratch / "shim";
  writeShim(made);
  std::ofstream(made / "complete") << key << '\n';
  if (!fs::exists(made / "complete", failed))
    return error("cannot write " + made.string() + ": " + std::strerror(errno));
  if (kept.empty())
    return made;
  fs::rename(made, kept, failed);
  // Another process may have been quicker.
  return fs::exists(kept / "complete", failed) ? kept : made;
}

//===--- Texts ---===//

Result<Source> Source::fromFile(const std::string &path) {
  errno = 0;
  std::optional<std::string> text = readWholeFile(path);
  if (!text)
    return error("cannot read " + path + ": " + std::strerror(errno ? errno : EISDIR));
  Source source;
  source.name = path;
  source.text = std::move(*text);
  return source;
}

namespace {

/// Removes a scratch folder, unless it became a cache entry.
struct Scratch {
  fs::path folder;
  ~Scratch() {
    std::error_code failed;
    if (!folder.empty())
      fs::remove_all(folder, failed);
  }
};

/// A text under work.
struct Workshop {
  Clang clang;
  BuildCache cache;
  Scratch scratch;
  fs::path shim;
  std::string preprocessed;
  TokenList tokens;
  std::vector<std::string> headers;

  static Result<std::unique_ptr<Workshop>> open(const Source &source, const BuildCache &cache) {
    Result<Clang> clang = Clang::find();
    if (!clang)
      return clang.takeErrors();
    Result<fs::path> folder = cache.scratchFolder();
    if (!folder)
      return folder.takeErrors();
    auto shop = std::unique_ptr<Workshop>(new Workshop{*clang, cache, {*folder}, {}, {}, {}, {}});
    Result<fs::path> shim = shimFolder(cache, *folder);
    if (!shim)
      return shim.takeErrors();
    shop->shim = *shim;
    if (Status version = clang->checkVersion(shim->string()); !version)
      return version.takeErrors();
    if (Status read = shop->read(source); !read)
      return read.takeErrors();
    return shop;
  }

  Status read(const Source &source) {
    // The text as it was given, which need not be that of the file any more.
    fs::path file = scratch.folder / "source.metal";
    std::ofstream(file, std::ios::binary) << source.text;
    Result<std::string> text = clang.preprocess(source, file.string(), shim.string());
    if (!text)
      return text.takeErrors();
    preprocessed = std::move(*text);
    tokens = lex(preprocessed, [](const std::string &path) { return readWholeFile(path); });
    for (std::string &name : tokens.files) {
      if (name == file.string())
        name = source.name;
      else if (name.front() != '<' && !name.starts_with(shim.string()))
        headers.push_back(name);
    }
    return Done{};
  }

  /// Writes rewritten text to its file.
  Result<std::string> write(const RewrittenText &text) const {
    fs::path file = scratch.folder / rewrittenName;
    std::ofstream out(file, std::ios::binary);
    out << text.text;
    out.close();
    if (!out)
      return error("cannot write " + file.string() + ": " + std::strerror(errno));
    return file.string();
  }
};

} // namespace

static RewriteRequest requestFor(const BuildOptions &options) {
  RewriteRequest request;
  request.kernel = options.kernel;
  for (const auto &[name, value] : options.constants)
    request.constants[name] = {value};
  return request;
}

static Errors noSuchKernel(const Source &source, const std::string &name,
                           const std::vector<KernelName> &kernels) {
  std::vector<std::string> names;
  for (const KernelName &kernel : kernels)
    names.push_back(kernel.name);
  if (names.empty())
    return error(source.name + " has no kernel",
                 "a kernel is a function marked 'kernel' or [[kernel]]");
  constexpr size_t shown = 12;
  std::vector<std::string> near =
      name.empty() ? std::vector<std::string>() : nearestNames(name, names);
  std::string count = names.size() == 1 ? "1 kernel" : std::to_string(names.size()) + " kernels";
  std::vector<std::string> some(names.begin(), names.begin() + std::min(names.size(), shown));
  std::string all = "it has " + count + ": " + listNames(some, names.size() > shown ? "," : "and") +
                    (names.size() > shown ? ", …" : "");
  if (name.empty())
    return error(source.name + " has more than one kernel", all, "name the one that is meant");
  return error(source.name + " has no kernel '" + name + "'", all,
               near.empty() ? "" : "did you mean " + listNames(near) + "?");
}

/// Constants that were given but that the text does not have.
static Status checkConstants(const Module &module, const BuildOptions &options) {
  std::vector<std::string> known;
  const KernelModule &kernel = module.kernel();
  for (unsigned i = 0; i < kernel.constantCount; ++i)
    known.push_back(std::string(kernel.constants[i].name) + " (" +
                    std::to_string(kernel.constants[i].index) + ")");
  for (const auto &[key, value] : options.constants) {
    bool found = false;
    for (unsigned i = 0; i < kernel.constantCount; ++i)
      found |= key == kernel.constants[i].name || key == std::to_string(kernel.constants[i].index);
    if (!found)
      return error("there is no function constant '" + key + "'",
                   known.empty() ? "the text has none" : "known: " + listNames(known, "and"));
  }
  return Done{};
}

static std::string keyOf(const Source &source, const BuildOptions &options, const Clang &clang) {
  std::string text;
  // Each part with its length, so that no two lists of parts look the same.
  auto add = [&text](std::string_view part) {
    text += std::to_string(part.size()) + ':';
    text += part;
  };
  add(recipeId());
  add(shimKey());
  add(clang.identity());
  add(source.name);
  add(source.text);
  add(options.kernel);
  add(options.checking == Checking::off ? "fast" : "checked");
  for (const std::string &folder : source.includeFolders)
    add("include " + folder);
  for (const std::string &define : source.defines)
    add("define " + define);
  for (const auto &[name, value] : options.constants)
    add("constant " + name + "=" + value);
  for (const std::string &feature : hostFeatures())
    add(feature);
  return contentKey(text);
}

Result<BuildResult> buildModule(const Source &source, const BuildOptions &options) {
  BuildCache cache(options.cacheFolder);
  std::string key;
  if (options.useCache) {
    Result<Clang> clang = Clang::find();
    if (!clang)
      return clang.takeErrors();
    key = keyOf(source, options, *clang);
    if (std::optional<BuiltKernel> built = cache.find(key)) {
      if (Result<std::unique_ptr<Module>> module = Module::load(std::move(*built))) {
        if (Status constants = checkConstants(**module, options); !constants)
          return constants.takeErrors();
        return BuildResult{std::move(*module), true};
      }
    }
  }
  Result<std::unique_ptr<Workshop>> opened = Workshop::open(source, cache);
  if (!opened)
    return opened.takeErrors();
  Workshop &shop = **opened;
  RewriteRequest request = requestFor(options);
  RewrittenText text = rewrite(shop.tokens, request);
  if (request.kernel.empty() && text.kernels.size() == 1) {
    request.kernel = text.kernels.front().name;
    text = rewrite(shop.tokens, request);
  }
  if (request.kernel.empty() || !text.hasEntry)
    return noSuchKernel(source, request.kernel, text.kernels);
  Result<std::string> file = shop.write(text);
  if (!file)
    return file.takeErrors();
  fs::path library = shop.scratch.folder / "module.so";
  bool isKept = shop.shim.parent_path() == shop.cache.folder();
  if (isKept)
    shop.clang.precompileShim(shop.shim.string(), options.checking);
  if (Status compiled = shop.clang.compile(*file, library.string(), text.map, shop.shim.string(),
                                           options.checking);
      !compiled)
    return compiled.takeErrors();
  BuiltKernel built;
  built.kernel = request.kernel;
  built.map = text.map;
  if (options.useCache) {
    fs::path folder =
        shop.cache.insert(key, shop.scratch.folder, text.map, request.kernel, shop.headers);
    if (folder != shop.scratch.folder)
      shop.scratch.folder.clear();
    library = folder / "module.so";
  }
  built.library = library;
  if (std::optional<std::string> bytes = readWholeFile(library))
    built.libraryBytes = std::move(*bytes);
  Result<std::unique_ptr<Module>> module = Module::load(std::move(built));
  if (!module)
    return module.takeErrors();
  if (Status constants = checkConstants(**module, options); !constants)
    return constants.takeErrors();
  return BuildResult{std::move(*module), false};
}

Result<std::vector<KernelInfo>> listKernels(const Source &source) {
  Result<std::unique_ptr<Workshop>> shop = Workshop::open(source, BuildCache({}));
  if (!shop)
    return shop.takeErrors();
  std::vector<KernelInfo> kernels;
  for (const KernelName &kernel : rewrite((*shop)->tokens, {}).kernels)
    kernels.push_back({kernel.name, kernel.location});
  return kernels;
}

Result<LintReport> lint(const Source &source) {
  Result<std::unique_ptr<Workshop>> shop = Workshop::open(source, BuildCache({}));
  if (!shop)
    return shop.takeErrors();
  RewrittenText text = rewrite((*shop)->tokens, {});
  Result<std::string> file = (*shop)->write(text);
  if (!file)
    return file.takeErrors();
  if (Status checked = (*shop)->clang.checkSyntax(*file, text.map, (*shop)->shim.string());
      !checked)
    return checked.takeErrors();
  return LintReport{text.kernels.size(), lintAddressSpaces((*shop)->tokens)};
}

} // namespace metile::emulator
