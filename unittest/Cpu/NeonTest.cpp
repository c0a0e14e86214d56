// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for 64-bit ARM, linked into a program without a C library and run under qemu-user: the same
// bits come out as on this machine.

#include "ElementwiseKernel.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace metile;
using namespace metile::cpu;

namespace {

/// Reads `size` bytes, hands them to the kernel as every operand, writes what it stored.
constexpr const char *driver = R"(
static long call(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}
void kernel(const void *, const void *, const void *, void *, long);
static _Alignas(64) char in[SIZE], out[SIZE * 8];
void _start(void) {
  long have = 0, got;
  while (have < SIZE && (got = call(63, 0, (long)in + have, SIZE - have)) > 0)
    have += got;
  kernel(in, in + LANE, in + 2 * LANE, out, COUNT);
  for (long done = 0; done < OUT_SIZE;)
    done += call(64, 1, (long)out + done, OUT_SIZE - done);
  call(93, 0, 0, 0);
}
)";

struct Tools {
  std::string clang, linker, qemu;

  /// What is missing, or empty.
  std::string find() {
    auto look = [](std::initializer_list<const char *> names, std::string &path) {
      for (const char *name : names)
        if (auto found = llvm::sys::findProgramByName(name)) {
          path = *found;
          return true;
        }
      return false;
    };
    if (!look({"qemu-aarch64", "qemu-aarch64-static"}, qemu))
      return "qemu-aarch64";
    if (!look({"clang-22", "clang-19", "clang"}, clang))
      return "clang";
    if (!look({"ld.lld", "ld.lld-22", "/usr/lib/llvm-22/bin/ld.lld"}, linker))
      return "ld.lld";
    return {};
  }
};

class NeonTest : public testing::Test {
protected:
  Tools tools;
  llvm::SmallString<128> folder;
  TileRunner arm{"cpu:armv8.2"}, host;

  void SetUp() override {
    if (std::string missing = tools.find(); !missing.empty())
      GTEST_SKIP() << missing << " is not installed";
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("metile-neon", folder));
  }
  void TearDown() override {
    if (!folder.empty())
      llvm::sys::fs::remove_directories(folder);
  }

  std::string path(const char *name) {
    llvm::SmallString<128> full = folder;
    llvm::sys::path::append(full, name);
    return std::string(full);
  }
  void write(const char *name, std::string_view bytes) {
    std::error_code failed;
    llvm::raw_fd_ostream out(path(name), failed);
    ASSERT_FALSE(failed);
    out << llvm::StringRef(bytes);
  }
  int run(std::vector<std::string> words, const std::string &in = {}, const std::string &out = {}) {
    llvm::SmallVector<llvm::StringRef> arguments(words.begin(), words.end());
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(in), std::nullopt, std::nullopt};
    if (!out.empty())
      redirects[1] = llvm::StringRef(out);
    return llvm::sys::ExecuteAndWait(words[0], arguments, std::nullopt, redirects, 120);
  }

  /// Both machines on the same operands; %b and %c are the inputs shifted by one and two lanes.
  template <class In, class Out>
  void compare(const std::string &body, const char *in, const char *out,
               const std::vector<In> &values) {
    const unsigned lanes = 4;
    const size_t count = (values.size() - 8) / lanes * lanes;
    std::string text = elementwiseText(body, in, out, lanes);
    auto *kernel = host.compile<Elementwise>(text);
    ASSERT_NE(kernel, nullptr);
    std::vector<Out> expected(count), got(count);
    kernel(&values[0], &values[1], &values[2], expected.data(), count);

    Result<std::string> object = arm.object(text);
    ASSERT_TRUE(object) << object.errors().str();
    write("kernel.o", *object);
    write("driver.c", driver);
    write("in", {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(In)});
    ASSERT_EQ(run({tools.clang, "--target=aarch64-linux-gnu", "-O1", "-ffreestanding", "-c",
                   "-DSIZE=" + std::to_string(values.size() * sizeof(In)),
                   "-DLANE=" + std::to_string(sizeof(In)), "-DCOUNT=" + std::to_string(count),
                   "-DOUT_SIZE=" + std::to_string(count * sizeof(Out)), path("driver.c"), "-o",
                   path("driver.o")}),
              0);
    ASSERT_EQ(
        run({tools.linker, "-static", path("driver.o"), path("kernel.o"), "-o", path("program")}),
        0);
    ASSERT_EQ(run({tools.qemu, path("program")}, path("in"), path("out")), 0);
    auto output = llvm::MemoryBuffer::getFile(path("out"));
    ASSERT_TRUE(bool(output));
    ASSERT_EQ((*output)->getBufferSize(), count * sizeof(Out));
    std::memcpy(got.data(), (*output)->getBufferStart(), count * sizeof(Out));
    int wrong = 0;
    for (size_t i = 0; i < count && wrong < 5; ++i) {
      // Which NaN it is may differ.
      if (got[i] != got[i] && expected[i] != expected[i])
        continue;
      if (std::memcmp(&got[i], &expected[i], sizeof(Out)) != 0) {
        ++wrong;
        ADD_FAILURE() << body << " at " << +values[i] << ", " << +values[i + 1] << ": " << +got[i]
                      << " on ARM, " << +expected[i] << " here";
      }
    }
  }

  template <class T> std::vector<T> randomBits(size_t count) {
    std::mt19937_64 random(17);
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits = random();
      std::memcpy(&values[i], &bits, sizeof(T));
      if constexpr (std::is_floating_point_v<T>)
        if (i % 2)
          values[i] = T(int64_t(bits)) / T(0x1p58);
    }
    return values;
  }
};

TEST_F(NeonTest, ElementaryFunctions) {
  for (const char *function : {"exp", "log2", "tanh", "erf", "sin"})
    compare<float, float>("%r = math." + std::string(function) + " %a : IN", "f32", "f32",
                          randomBits<float>(4096));
  compare<double, double>("%r = math.cos %a : IN", "f64", "f64", randomBits<double>(4096));
}

TEST_F(NeonTest, Conversions) {
  compare<double, uint16_t>("%x = tile.round %a : IN -> vector<4xf16>\n"
                            "%r = arith.bitcast %x : vector<4xf16> to OUT",
                            "f64", "i16", randomBits<double>(4096));
  compare<float, uint16_t>("%x = tile.round %a : IN -> vector<4xbf16>\n"
                           "%r = arith.bitcast %x : vector<4xbf16> to OUT",
                           "f32", "i16", randomBits<float>(4096));
  compare<float, int32_t>("%r = tile.to_int %a : IN -> OUT", "f32", "i32", randomBits<float>(4096));
  compare<int64_t, float>("%r = tile.from_int %a : IN -> OUT", "i64", "f32",
                          randomBits<int64_t>(4096));
}

TEST_F(NeonTest, Integers) {
  compare<int32_t, int32_t>("%s = tile.shr %b, %c : IN\n%r = tile.div floor %a, %s : IN", "i32",
                            "i32", randomBits<int32_t>(4096));
  compare<int64_t, int64_t>("%s = tile.shr %b, %c : IN\n%r = tile.rem trunc %a, %s : IN", "i64",
                            "i64", randomBits<int64_t>(4096));
}

TEST_F(NeonTest, MaximumKnowsNaN) {
  compare<float, float>("%r = arith.maximumf %a, %b : IN", "f32", "f32", randomBits<float>(4096));
}

} // namespace
