// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/emulator.h"

#include "Emulator/BuildCache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace metile::emulator {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::path(testing::TempDir()) / ("metile-build-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

Source sourceOf(const std::string &text) {
  Source source;
  source.name = "a.metal";
  source.text = "#include <metal_stdlib>\nusing namespace metal;\n" + text;
  return source;
}

std::string failure(const Source &source, const std::string &kernel = {}) {
  BuildOptions options;
  options.kernel = kernel;
  Result<Kernel> built = Kernel::build(source, options);
  return built ? "built" : built.errors().str();
}

} // namespace

TEST(Build, CacheFindsWhatIsThereAndRebuildsWhatIsDamaged) {
  Folder folder;
  fs::path header = folder.path / "size.h";
  std::ofstream(header) << "#define SIZE 1\n";
  Source source = sourceOf("#include \"size.h\"\nkernel void f(device int *a) { a[0] = SIZE; }");
  source.includeFolders = {folder.path.string()};
  BuildOptions options;
  options.cacheFolder = (folder.path / "cache").string();
  auto run = [&](bool fromCache, int expected) {
    Kernel kernel = Kernel::build(source, options).orExit();
    EXPECT_EQ(kernel.fromCache(), fromCache);
    std::vector<int> a(1);
    Launch launch;
    launch.threadgroups = {1, 1, 1};
    launch.buffers = {bufferOf(0, a)};
    kernel.launch(launch).orExit();
    EXPECT_EQ(a[0], expected);
  };
  run(false, 1);
  run(true, 1);
  std::ofstream(header) << "#define SIZE 2\n";
  run(false, 2);
  run(true, 2);
  for (const fs::directory_entry &file : fs::recursive_directory_iterator(options.cacheFolder))
    if (file.path().filename() == "module.so")
      fs::resize_file(file.path(), 100);
  run(false, 2);
  run(true, 2);
  for (const fs::directory_entry &file : fs::recursive_directory_iterator(options.cacheFolder))
    if (file.path().filename() == "entry.json")
      std::ofstream(file.path()) << "{";
  run(false, 2);
}

TEST(Build, CacheTellsWhatItKeeps) {
  Folder folder;
  BuildOptions options;
  options.cacheFolder = folder.path.string();
  BuildCache cache(options.cacheFolder);
  EXPECT_TRUE(cache.entries().empty());
  Kernel::build(sourceOf("kernel void f(device int *a) { a[0] = 1; }"), options).orExit();
  std::vector<BuildCache::Entry> entries = cache.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].kernel, "f");
  EXPECT_EQ(entries[1].kernel, ""); // The headers.
  EXPECT_GT(entries[0].bytes, 1000u);
  EXPECT_EQ(cache.clear(), 2u);
  EXPECT_TRUE(cache.entries().empty());
}

TEST(Build, ErrorsStandWhereTheTextIsWrong) {
  EXPECT_EQ(failure(sourceOf("kernel void f(device int *a) {\n    a[0] = b;\n}")),
            "a.metal:4:12: error: use of undeclared identifier 'b'");
  // The preprocessor's own.
  EXPECT_EQ(failure(sourceOf("#include \"nowhere.h\"\n")),
            "a.metal:3:10: error: 'nowhere.h' file not found");
}

TEST(Build, MissingFeaturesAreNamed) {
  EXPECT_EQ(
      failure(sourceOf("kernel void f(texture2d<float> t [[texture(0)]]) {}")),
      "a.metal:3:15: error: 'texture2d' is not in the emulator, which has no textures; it runs "
      "compute kernels on buffers and threadgroup memory");
}

TEST(Build, KernelsAreNamed) {
  Source two = sourceOf("kernel void add(device int *a) {} kernel void sub(device int *a) {}");
  EXPECT_EQ(
      failure(two),
      "error: a.metal has more than one kernel; it has 2 kernels: add and sub; name the one that "
      "is meant");
  EXPECT_EQ(failure(two, "ad"), "error: a.metal has no kernel 'ad'; it has 2 kernels: add and sub; "
                                "did you mean add?");
  EXPECT_EQ(failure(sourceOf("int x;")),
            "error: a.metal has no kernel; a kernel is a function marked 'kernel' or [[kernel]]");
}

TEST(Build, UnknownConstantsAreErrors) {
  BuildOptions options;
  options.constants = {{"4", "1"}};
  options.useCache = false;
  Result<Kernel> built = Kernel::build(
      sourceOf(
          "constant int n [[function_constant(3)]]; kernel void f(device int *a) { a[0] = n; }"),
      options);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.errors().str(), "error: there is no function constant '4'; known: n (3)");
}

TEST(Build, ClangMustBeThereAndNew) {
  Folder folder;
  std::string old = (folder.path / "old-clang++").string();
  std::ofstream(old) << "#!/bin/sh\necho Debian clang version 14.0.6\n";
  fs::permissions(old, fs::perms::owner_all);
  const char *before = std::getenv("METILE_CLANG");
  std::string kept = before ? before : "";
  BuildOptions options;
  options.useCache = false;
  auto message = [&](const std::string &clang) {
    setenv("METILE_CLANG", clang.c_str(), 1);
    Result<Kernel> built = Kernel::build(sourceOf("kernel void f(device int *a) {}"), options);
    return built ? "built" : built.errors().str();
  };
  EXPECT_EQ(
      message("/nowhere/clang++"),
      "error: METILE_CLANG names '/nowhere/clang++', which cannot be run; set it to a clang++ of "
      "version 19 or newer");
  EXPECT_EQ(message(old),
            "error: " + old +
                " is clang 14; kernels are compiled by clang 19 or newer; install one "
                "(Debian: apt-get install clang-22), or set METILE_CLANG");
  if (before)
    setenv("METILE_CLANG", kept.c_str(), 1);
  else
    unsetenv("METILE_CLANG");
}

} // namespace metile::emulator
