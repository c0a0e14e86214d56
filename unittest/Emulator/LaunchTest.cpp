// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metile/emulator.h"

#include "Support/HalfFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace metile::emulator {
namespace {

Kernel build(const std::string &file, Checking checking) {
  Source source = Source::fromFile(METILE_TEST_KERNELS + file).orExit();
  BuildOptions options;
  options.checking = checking;
  return Kernel::build(source, options).orExit();
}

Kernel buildText(const std::string &text, Checking checking = Checking::full) {
  Source source;
  source.name = "inline.metal";
  source.text = "#include <metal_stdlib>\nusing namespace metal;\n" + text;
  BuildOptions options;
  options.checking = checking;
  return Kernel::build(source, options).orExit();
}

std::string all(const Report &report) {
  std::string text;
  for (const Finding &finding : report.findings)
    text += finding.str();
  return text;
}

} // namespace

class Launching : public testing::TestWithParam<Checking> {};
INSTANTIATE_TEST_SUITE_P(Modes, Launching, testing::Values(Checking::off, Checking::full));

TEST_P(Launching, VectorAdd) {
  Kernel kernel = build("vector_add.metal", GetParam());
  std::vector<float> a(10007), b(a.size()), c(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 0.5f * static_cast<float>(i);
  }
  std::vector<uint32_t> n = {static_cast<uint32_t>(a.size())};
  Launch launch;
  launch.gridThreads = {n[0], 1, 1}; // The last group is smaller.
  launch.threads = {256, 1, 1};
  launch.buffers = {bufferOf(0, a), bufferOf(1, b), bufferOf(2, c), bufferOf(3, n)};
  Report report = kernel.launch(launch).orExit();
  EXPECT_EQ(all(report), "");
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(c[i], 1.5f * static_cast<float>(i));
}

TEST_P(Launching, MatrixMultiply) {
  Kernel kernel = build("gemm.metal", GetParam());
  for (auto [M, N, K] : {std::array{64u, 64u, 32u}, std::array{77u, 66u, 41u}}) {
    std::mt19937 generator(1);
    auto random = [&](size_t count) {
      std::vector<uint16_t> values(count);
      for (uint16_t &value : values)
        value = f16FromFloat(static_cast<float>(generator() % 17) / 8 - 1);
      return values;
    };
    std::vector<uint16_t> a = random(M * K), b = random(K * N), c(M * N, 0x7fff);
    std::vector<uint32_t> size = {M, N, K, 0};
    Launch launch;
    launch.threadgroups = {(N + 63) / 64, (M + 63) / 64, 1};
    launch.threads = {128, 1, 1};
    launch.buffers = {bufferOf(0, a), bufferOf(1, b), bufferOf(2, c), bufferOf(3, size)};
    launch.buffers[2].uninitialised = true;
    EXPECT_EQ(all(kernel.launch(launch).orExit()), "");
    for (uint32_t m = 0; m < M; ++m)
      for (uint32_t n = 0; n < N; ++n) {
        double sum = 0;
        for (uint32_t k = 0; k < K; ++k)
          sum += double(floatFromF16(a[m * K + k])) * floatFromF16(b[k * N + n]);
        ASSERT_EQ(c[m * N + n], f16FromDouble(sum)) << m << " " << n;
      }
  }
}

TEST_P(Launching, Softmax) {
  Kernel kernel = build("softmax.metal", GetParam());
  constexpr uint32_t rows = 5, columns = 300;
  std::vector<float> x(rows * columns), y(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i * 7919 % 1000) / 100;
  std::vector<uint32_t> n = {columns};
  Launch launch;
  launch.threadgroups = {rows, 1, 1};
  launch.threads = {128, 1, 1};
  launch.buffers = {bufferOf(0, x), bufferOf(1, y), bufferOf(2, n)};
  launch.threadgroupMemory[0] = 16;
  EXPECT_EQ(all(kernel.launch(launch).orExit()), "");
  for (uint32_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (uint32_t i = 0; i < columns; ++i)
      sum += std::exp(double(x[row * columns + i]));
    for (uint32_t i = 0; i < columns; ++i)
      ASSERT_NEAR(y[row * columns + i], std::exp(double(x[row * columns + i])) / sum, 1e-6);
  }
}

TEST_P(Launching, ArgumentsShareMemory) {
  // y lies in the middle of x, and x twice.
  Kernel kernel = buildText("kernel void f(device const int *x [[buffer(0)]],"
                            "              device int *y [[buffer(1)]],"
                            "              device const int *again [[buffer(2)]],"
                            "              device int *distance [[buffer(3)]],"
                            "              uint i [[thread_position_in_grid]]) {"
                            "  if (i == 0) {"
                            "    distance[0] = y - x;"
                            "    distance[1] = again - x;"
                            "  }"
                            "  y[i] += 100;"
                            "}",
                            GetParam());
  std::vector<int32_t> x = {0, 1, 2, 3, 4, 5, 6, 7}, distance(2);
  Launch launch;
  launch.gridThreads = {2, 1, 1};
  launch.buffers = {bufferOf(2, x), bufferOf(0, x), bufferOf(1, x), bufferOf(3, distance)};
  launch.buffers[2].data = x.data() + 3;
  launch.buffers[2].bytes = 2 * sizeof(x[0]);
  EXPECT_EQ(all(kernel.launch(launch).orExit()), "");
  EXPECT_EQ(x, (std::vector<int32_t>{0, 1, 2, 103, 104, 5, 6, 7}));
  EXPECT_EQ(distance, (std::vector<int32_t>{3, 0}));
}

TEST(Launch, UnusedThreadgroupArgument) {
  Kernel kernel = buildText("kernel void f(device int *y [[buffer(0)]],"
                            "              threadgroup int *shared [[threadgroup(0)]]) {"
                            "  *y = shared == nullptr ? 1 : 2;"
                            "}");
  std::vector<int32_t> y(1);
  Launch launch;
  launch.threadgroups = {1, 1, 1};
  launch.buffers = {bufferOf(0, y)};
  EXPECT_FALSE(kernel.launch(launch).ok());
  launch.threadgroupMemory[0] = 0;
  EXPECT_EQ(all(kernel.launch(launch).orExit()), "");
  EXPECT_EQ(y[0], 1);
}

TEST(Launch, SameInputSameReport) {
  Kernel kernel = buildText(R"(
kernel void racy(device uint *out, uint i [[thread_position_in_threadgroup]],
                 uint g [[threadgroup_position_in_grid]]) {
  threadgroup uint shared[64];
  shared[i] = i;
  out[(i + g) % 64] = shared[63 - i];
})");
  std::string first;
  for (unsigned workers : {1u, 2u, 2u, 1u}) {
    std::vector<uint32_t> out(64);
    Launch launch;
    launch.threadgroups = {16, 1, 1};
    launch.threads = {64, 1, 1};
    launch.workers = workers;
    launch.buffers = {bufferOf(0, out)};
    std::string text = all(kernel.launch(launch).orExit());
    EXPECT_NE(text, "");
    if (first.empty())
      first = text;
    EXPECT_EQ(text, first);
  }
}

TEST(Launch, GroupsGoOnAfterOneWasAbandoned) {
  Kernel kernel = buildText(R"(
kernel void stray(device uint *out, uint i [[thread_position_in_threadgroup]],
                  uint g [[threadgroup_position_in_grid]]) {
  uint four[4] = {1, 2, 3, 4};
  threadgroup_barrier(mem_flags::mem_none);
  out[g * 32 + i] = four[g == 2 ? i + 4 : i % 4];
})");
  std::vector<uint32_t> out(8 * 32);
  Launch launch;
  launch.threadgroups = {8, 1, 1};
  launch.threads = {32, 1, 1};
  launch.buffers = {bufferOf(0, out)};
  Report report = kernel.launch(launch).orExit();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::outOfBounds);
  EXPECT_EQ(out[7 * 32 + 5], 2u);
  EXPECT_EQ(out[2 * 32 + 5], 0u);
}

TEST(Launch, WrongArgumentsAreErrors) {
  Kernel kernel = build("vector_add.metal", Checking::full);
  std::vector<float> a(4), b(4), c(4);
  std::vector<uint32_t> n = {4};
  Launch right;
  right.threadgroups = {1, 1, 1};
  right.threads = {4, 1, 1};
  right.buffers = {bufferOf(0, a), bufferOf(1, b), bufferOf(2, c), bufferOf(3, n)};
  ASSERT_TRUE(kernel.launch(right));
  auto message = [&](auto change) {
    Launch launch = right;
    change(launch);
    Result<Report> report = kernel.launch(launch);
    return report ? std::string("no error") : report.errors().str();
  };
  EXPECT_EQ(
      message([](Launch &l) { l.buffers.pop_back(); }),
      "error: vector_add: buffer 3 ('n') is missing; its buffers are a (0), b (1), c (2) and n "
      "(3)");
  EXPECT_EQ(message([](Launch &l) { l.buffers[3].bytes = 2; }),
            "error: vector_add: buffer 'n' has 2 bytes; the kernel reads one value of 4");
  EXPECT_EQ(message([](Launch &l) { l.buffers[3].index = 9; }),
            "error: vector_add: it has no buffer 9; its buffers are a (0), b (1), c (2) and n (3)");
  EXPECT_EQ(
      message([](Launch &l) { l.threads = {1024, 2, 1}; }),
      "error: vector_add: 2048 threads in a threadgroup (1024,2,1); at most 1024; use smaller "
      "threadgroups and more of them");
  // Products that 64 bits do not hold, and axes that 32 do not.
  EXPECT_NE(message([](Launch &l) {
              l.threads = {1u << 22, 1u << 21, 1u << 21};
            }).find("threads in a threadgroup (4194304,2097152,2097152); at most 1024"),
            std::string::npos);
  EXPECT_NE(message([](Launch &l) {
              l.threadgroups = {1u << 22, 1u << 21, 1u << 21};
            }).find("threadgroups; fewer than 2^32"),
            std::string::npos);
  EXPECT_NE(message([](Launch &l) {
              l.threadgroups = {1u << 31, 1, 1};
              l.threads = {2, 1, 1};
            }).find("fewer than 2^32 threads on each axis of the grid"),
            std::string::npos);
  EXPECT_EQ(message([](Launch &l) { l.threadgroups = {0, 1, 1}; }),
            "error: vector_add: the grid is empty, or not given; one of the two: threadgroups, or "
            "threads of the whole grid");
  EXPECT_EQ(message([](Launch &l) { l.threadgroupMemory[0] = 64; }),
            "error: vector_add: it has no threadgroup argument 0");
}

} // namespace metile::emulator
