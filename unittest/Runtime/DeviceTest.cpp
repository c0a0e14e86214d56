// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestKernels.h"

#include "Support/Nearest.h"
#include "metile/code_loader.h"

#include <gtest/gtest.h>

namespace metile {
namespace {

/// Knows the test's entry points, as if they had been in the object.
class TableLoader final : public CodeLoader {
public:
  struct Code final : LoadedCode {
    explicit Code(TableLoader &loader) : loader(loader) { ++loader.alive; }
    ~Code() override { --loader.alive; }
    void *lookup(std::string_view symbol) const override {
      return symbol == "scale" ? reinterpret_cast<void *>(&test::scale) : nullptr;
    }
    TableLoader &loader;
  };

  Result<std::shared_ptr<LoadedCode>> load(std::string_view object,
                                           std::string_view name) override {
    if (object != "object code")
      return error(std::string(name) + ": not an object");
    return std::shared_ptr<LoadedCode>(std::make_shared<Code>(*this));
  }

  int alive = 0;
};

std::string failure(const Result<Executable> &result) {
  return result ? "loaded" : result.errors().str();
}

} // namespace

TEST(Device, UnknownNamesListThosePresent) {
  Result<Device> device = Device::open("cuda-9");
  ASSERT_FALSE(device);
  std::vector<std::string> names = Device::names();
  EXPECT_EQ(device.errors().str(),
            "error: unknown device 'cuda-9'; present here: " + listNames(names, "and"));
  // What else there is depends on the machine.
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(names[0], "cpu");
  EXPECT_EQ(names[1], "reference");
}

TEST(Device, ThreadsAreBounded) {
  EXPECT_EQ(test::cpu(3).threads(), 3u);
  EXPECT_GE(Device::open().orExit().threads(), 1u);
  DeviceOptions options;
  options.threads = 100000;
  EXPECT_FALSE(Device::open("cpu", options));
}

TEST(Buffer, ReadsAndWrites) {
  Device device = test::cpu();
  Buffer buffer = device.allocate(100).orExit();
  EXPECT_EQ(buffer.bytes(), 100u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
  int values[3] = {1, 2, 3}, back[3] = {};
  ASSERT_TRUE(buffer.write(values, sizeof values, 88));
  ASSERT_TRUE(buffer.read(back, sizeof back, 88));
  EXPECT_EQ(back[2], 3);
  for (auto [bytes, offset] :
       {std::pair<size_t, size_t>{12, 89}, {101, 0}, {1, 100}, {1, ~size_t(0)}}) {
    EXPECT_FALSE(buffer.write(values, bytes, offset));
    EXPECT_FALSE(buffer.read(back, bytes, offset));
  }
  EXPECT_TRUE(buffer.write(nullptr, 0, 100));
}

TEST(Buffer, EmptyAndAdopted) {
  Device device = test::cpu();
  EXPECT_EQ(Buffer().bytes(), 0u);
  EXPECT_EQ(device.allocate(0).orExit().data(), nullptr);
  float mine[4] = {};
  Buffer buffer = device.adopt(mine, sizeof mine).orExit();
  EXPECT_EQ(buffer.data(), mine);
  EXPECT_FALSE(device.adopt(nullptr, 4));
  EXPECT_TRUE(device.adopt(nullptr, 0));
  Result<Buffer> huge = device.allocate(size_t(1) << 60);
  ASSERT_FALSE(huge);
  EXPECT_NE(huge.errors().str().find("cannot allocate"), std::string::npos);
}

TEST(Executable, LoadsThroughTheCodeLoader) {
  TableLoader loader;
  DeviceOptions options;
  options.threads = 1;
  options.codeLoader = &loader;
  Device device = Device::open("cpu", options).orExit();
  {
    Executable executable = Executable::load(device, test::scaleArtifact()).orExit();
    EXPECT_EQ(loader.alive, 1);
    float a[1] = {2}, c[1];
    EXPECT_TRUE(executable.launch(
        {Argument::view(a, f32, {1}), Argument::view(c, f32, {1}), Argument::scalar(4)}));
    EXPECT_EQ(c[0], 8);
    BoundLaunch launch =
        executable
            .bind({Argument::view(a, f32, {1}), Argument::view(c, f32, {1}), Argument::scalar(5)})
            .orExit();
    executable = Executable::load(device, test::scaleArtifact()).orExit();
    EXPECT_EQ(loader.alive, 2) << "a bound launch keeps its code";
    EXPECT_TRUE(launch.run());
    EXPECT_EQ(c[0], 10);
  }
  EXPECT_EQ(loader.alive, 0);
  Artifact broken = test::scaleArtifact();
  broken.code = "?";
  EXPECT_EQ(failure(Executable::load(device, broken)), "error: scale: not an object");
  Artifact renamed = test::scaleArtifact();
  renamed.steps[0].entry = "other";
  EXPECT_NE(failure(Executable::load(device, renamed)).find("no entry point 'other'"),
            std::string::npos);
}

TEST(Executable, SaysWhyItCannotLoad) {
  Device device = test::cpu();
  auto expect = [&](const char *words, auto change) {
    Artifact artifact = test::scaleArtifact();
    change(artifact);
    std::string text = failure(Executable::load(device, artifact));
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect("without a code loader", [](Artifact &) {});
  expect("is for 'metal:m5'; the device is 'cpu'", [](Artifact &a) { a.target = "metal:m5"; });
  expect("is for 'cpux'", [](Artifact &a) { a.target = "cpux"; });
  expect("is for", [](Artifact &a) { a.codeKind = CodeKind::ptx; });
  expect("needs warp9", [](Artifact &a) { a.features = "warp9"; });
  expect("contradicts itself", [](Artifact &a) { a.steps[0].entry = ""; });
}

TEST(Executable, FromSymbolsNamesWhatIsMissing) {
  const Symbol symbols[] = {{"count", test::count}, {"scale", nullptr}};
  std::string text = failure(Executable::fromSymbols(test::cpu(), test::scaleArtifact(), symbols));
  EXPECT_NE(text.find("(count and scale) has no entry point 'scale'"), std::string::npos) << text;
}

TEST(Executable, FromLibrary) {
  Device device = test::cpu();
  Artifact artifact = test::scaleArtifact();
  Executable executable = Executable::fromLibrary(device, artifact, METILE_TEST_ENTRIES).orExit();
  float a[1] = {2}, c[1];
  EXPECT_TRUE(executable.launch(
      {Argument::view(a, f32, {1}), Argument::view(c, f32, {1}), Argument::scalar(4)}));
  EXPECT_EQ(c[0], 8);
  EXPECT_NE(failure(Executable::fromLibrary(device, artifact, "no/such.so")).find("no/such.so"),
            std::string::npos);
  artifact.steps[0].entry = "other";
  EXPECT_NE(failure(Executable::fromLibrary(device, artifact, METILE_TEST_ENTRIES))
                .find("no entry point 'other'"),
            std::string::npos);
}

} // namespace metile
