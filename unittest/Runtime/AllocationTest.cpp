// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch after the first allocates nothing. Every form of operator new is counted here.
#include "TestKernels.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

namespace {

std::atomic<long> allocations{0};

void *counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  size = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, size ? size : alignment);
}

void *orThrow(void *block) {
  if (!block)
    throw std::bad_alloc();
  return block;
}

constexpr std::size_t usual = alignof(std::max_align_t);

} // namespace

void *operator new(std::size_t size) { return orThrow(counted(size, usual)); }
void *operator new[](std::size_t size) { return orThrow(counted(size, usual)); }
void *operator new(std::size_t size, std::align_val_t alignment) {
  return orThrow(counted(size, static_cast<std::size_t>(alignment)));
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
  return counted(size, usual);
}
void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete[](void *block) noexcept { std::free(block); }
void operator delete(void *block, std::size_t) noexcept { std::free(block); }
void operator delete[](void *block, std::size_t) noexcept { std::free(block); }
void operator delete(void *block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void *block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete(void *block, std::align_val_t, const std::nothrow_t &) noexcept {
  std::free(block);
}

namespace metile {

TEST(Allocation, OnlyTheFirstLaunchAllocates) {
  for (unsigned threads : {1u, 3u}) {
    Device device = test::cpu(threads);
    Artifact artifact = test::countArtifact(10000);
    artifact.workspaces.push_back(
        {"shared", Workspace::Scope::launch, SizeExpr::constant(5000), 64});
    Executable executable = test::make(device, artifact);
    std::vector<int32_t> hits(1000);
    const Argument arguments[] = {Argument::pointer(hits.data(), i32),
                                  Argument::scalar(int64_t(1000))};
    BoundLaunch bound = executable.bind(arguments).orExit();
    Stream stream = device.stream();
    long before = allocations;
    ASSERT_TRUE(executable.launch(arguments));
    EXPECT_GT(allocations, before) << "the counter must count";

    // A helper may sleep through the first launches and make its scratch later: at most one
    // allocation each.
    before = allocations;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(executable.launch(arguments));
      ASSERT_TRUE(bound.run());
      ASSERT_TRUE(bound.rebind(arguments));
      ASSERT_TRUE(stream.enqueue(bound));
      ASSERT_TRUE(stream.enqueue(executable, arguments));
    }
    EXPECT_LE(allocations - before, static_cast<long>(threads) - 1);
    EXPECT_EQ(hits[999], 801);
  }
}

} // namespace metile
