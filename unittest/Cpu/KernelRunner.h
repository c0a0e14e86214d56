// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KernelRunner: compiles the MLIR text of one tile kernel in several ways and runs it over memory
// that faults where a kernel must not go. Must not know what kernels compute.
#pragma once

#include "Dialect/Tile/Tile.h"
#include "Report/ExecutionReport.h"
#include "Target/KnownTargets.h"
#include "Targets/Cpu/Codegen.h"
#include "Targets/Cpu/LowerTile.h"
#include "metile/code_loader.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <sys/mman.h>

namespace metile::cpu {

/// `count` elements between two pages that cannot be touched; the last element ends at the second.
template <class T> class Guarded {
public:
  explicit Guarded(size_t count, T value = T()) : count(count) {
    size_t page = 4096, bytes = (count * sizeof(T) + page - 1) / page * page + 2 * page;
    length = bytes;
    base = static_cast<char *>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + page, bytes - 2 * page, PROT_READ | PROT_WRITE);
    elements = reinterpret_cast<T *>(base + bytes - page - count * sizeof(T));
    std::fill(elements, elements + count, value);
  }
  Guarded(const Guarded &) = delete;
  ~Guarded() { munmap(base, length); }

  T *data() { return elements; }
  T &operator[](size_t i) { return elements[i]; }
  size_t size() const { return count; }

private:
  size_t count, length;
  char *base;
  T *elements;
};

/// Values that small types hold exactly, so that sums of them do not depend on their order.
template <class T> void fillSmall(Guarded<T> &array, unsigned seed) {
  std::mt19937 random(seed);
  for (size_t i = 0; i < array.size(); ++i)
    array[i] = T(int(random() % 17) - 8);
}

template <class T> uint64_t slot(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// Slots of a view.
template <class T>
std::vector<uint64_t> view(T *data, std::vector<int64_t> sizes, std::vector<int64_t> strides = {}) {
  if (strides.empty()) {
    strides.resize(sizes.size());
    int64_t stride = 1;
    for (size_t axis = sizes.size(); axis-- > 0; stride *= sizes[axis])
      strides[axis] = stride;
  }
  std::vector<uint64_t> slots{slot(data)};
  slots.insert(slots.end(), sizes.begin(), sizes.end());
  slots.insert(slots.end(), strides.begin(), strides.end());
  return slots;
}

/// One way to compile a kernel.
struct Way {
  const char *name;
  const char *target;
  bool scratchEverything;
};

inline std::ostream &operator<<(std::ostream &out, const Way &way) { return out << way.name; }

/// The ways this machine can run.
inline std::vector<Way> ways() {
  std::vector<Way> all;
  Result<TargetDesc> host = hostTarget();
  if (!host)
    return all;
  static const std::string name = host->name;
  all.push_back({"host", name.c_str(), false});
  all.push_back({"scratch", name.c_str(), true});
  static const std::vector<std::string> rows = [&] {
    std::vector<std::string> names;
    for (const TargetDesc &row : knownTargets())
      if (row.kind == TargetKind::cpu && row.name != name && row.triple == host->triple &&
          missingFeatures(row.featureList()).empty())
        names.push_back(row.name);
    return names;
  }();
  for (const std::string &row : rows)
    all.push_back({row.c_str(), row.c_str(), false});
  return all;
}

class KernelRunner {
public:
  /// Compiles `text`; a mistake is a test failure.
  KernelRunner(std::string_view text, const Way &way) {
    mlir::DialectRegistry registry;
    registerCodegenDialects(registry);
    registry.insert<tile::TileDialect>();
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    context.loadAllAvailableDialects();
    TargetDesc target = std::move(findTarget(way.target)).orExit();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), &context);
    CpuPlan plan;
    plan.scratchEverything = way.scratchEverything;
    if (!module || failed(lowerTileToVector(*module, target, plan, info)) ||
        failed(module->verify())) {
      ADD_FAILURE() << "the kernel does not parse or lower";
      return;
    }
    facts = readLoweredIr(*module, "scratch", target.lanes(DType::f32));
    Result<std::string> object = emitObject(*module, target);
    if (!object) {
      ADD_FAILURE() << object.errors().str();
      return;
    }
    bytes = object->size();
    if (!missingFeatures(target.featureList()).empty() || target.triple != hostTriple())
      return;
    Result<std::shared_ptr<LoadedCode>> loaded = jitLoader().load(*object, info.entry);
    if (!loaded) {
      ADD_FAILURE() << loaded.errors().str();
      return;
    }
    code = *loaded;
    entry = reinterpret_cast<Entry *>(code->lookup(info.entry));
  }

  /// What a debug site showed.
  struct Shown {
    int32_t site;
    int64_t program[3];
    std::vector<std::string> values; ///< The bytes of each.
  };

  /// Runs the whole grid, in two halves. The arguments are the slots of one parameter each.
  void run(std::vector<std::vector<uint64_t>> arguments) {
    EXPECT_EQ(call(std::move(arguments)), 0);
  }

  /// The same for a kernel that may fail: what the first half that does returns, or 0.
  int32_t call(std::vector<std::vector<uint64_t>> arguments, bool listens = true) {
    if (!entry)
      return 0;
    std::vector<uint64_t> slots;
    for (auto &argument : arguments)
      slots.insert(slots.end(), argument.begin(), argument.end());
    int64_t programs = 1;
    std::vector<uint64_t> all = slots;
    for (const SizeExpr &extent : info.grid) {
      int64_t number = extent.evaluate(info.arguments, slots);
      all.push_back(number);
      programs *= number;
    }
    DebugChannel channel{this, show};
    if (!info.debugSites.empty())
      all.push_back(listens ? slot(&channel) : 0);
    // Scratch starts out as NaN, and its end is guarded.
    Guarded<unsigned char> scratch((info.scratchBytes + 63) / 64 * 64, 0xff);
    int32_t status = entry(all.data(), 0, programs / 2, scratch.data());
    return status ? status : entry(all.data(), programs / 2, programs, scratch.data());
  }

  std::vector<Shown> shown;
  CpuLoweringInfo info;
  IrFacts facts;
  size_t bytes = 0; ///< Of the object, also where this machine cannot run it.

private:
  static void show(void *host, int32_t site, int64_t x, int64_t y, int64_t z,
                   const void *const *values) {
    auto &runner = *static_cast<KernelRunner *>(host);
    Shown &shown = runner.shown.emplace_back(Shown{site, {x, y, z}, {}});
    const DebugSite &about = runner.info.debugSites[site];
    for (size_t i = 0; i < about.values.size(); ++i) {
      size_t bytes = byteSize(about.values[i].dtype);
      for (int64_t extent : about.values[i].shape)
        bytes *= extent;
      if (about.kind == DebugSite::Kind::assertion)
        bytes = sizeof(int64_t);
      shown.values.emplace_back(static_cast<const char *>(values[i]), bytes);
    }
  }

  static std::string hostTriple() {
    Result<TargetDesc> host = hostTarget();
    return host ? host->triple : "";
  }

  using Entry = int32_t(const uint64_t *, int64_t, int64_t, void *);
  mlir::MLIRContext context;
  std::shared_ptr<LoadedCode> code;
  Entry *entry = nullptr;
};

/// A test that runs once for each way.
class KernelTest : public testing::TestWithParam<Way> {};

inline std::string wayName(const testing::TestParamInfo<Way> &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!isalnum(c))
      c = '_';
  return name;
}

/// Replaces every `key` in `text`.
inline std::string with(std::string text, std::string_view key, std::string_view value) {
  for (size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += value.size())
    text.replace(at, key.size(), value);
  return text;
}

/// Compares all elements, reporting the first few differences.
template <class T, class Expected>
void expectAll(Guarded<T> &got, Expected expected, double tolerance = 0) {
  int reported = 0;
  for (size_t i = 0; i < got.size() && reported < 5; ++i) {
    double left = double(got[i]), right = double(expected(i));
    bool same = left == right || (std::isnan(left) && std::isnan(right)) ||
                std::fabs(left - right) <= tolerance * std::max(1.0, std::fabs(right));
    if (!same) {
      ADD_FAILURE() << "element " << i << " is " << left << ", not " << right;
      ++reported;
    }
  }
}

} // namespace metile::cpu
