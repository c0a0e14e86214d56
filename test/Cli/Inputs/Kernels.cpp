// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user's library for the tests of the tool: a right kernel with pointers and a scalar, and
// kernels that are wrong in ways that a benchmark must find.

#include "metile/tool.h"

using namespace metile;

static Kernel scale() {
  return kernel("scale", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                            Const<"BLOCK", 256, 1024> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    store(y + i, cast(load(x + i, i < n) * factor, y.dtype()), i < n);
  });
}

/// The same with a mistake in the last element.
static Kernel scaleWrong() {
  return kernel("scale_wrong", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                  Const<"BLOCK", 256, 1024> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    Tile value = load(x + i, i < n) * factor;
    store(y + i, cast(where(i == n - 1, -value, value), y.dtype()), i < n);
  });
}

/// The same without the last element.
static Kernel scaleShort() {
  return kernel("scale_short", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                  Const<"BLOCK", 256, 1024> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    store(y + i, cast(load(x + i, i < n) * factor, y.dtype()), i < n - 1);
  });
}

/// Reads behind the last element.
static Kernel scaleUnmasked() {
  return kernel("scale_unmasked", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                     Const<"BLOCK", 256, 1024> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    store(y + i, cast(load(x + i) * factor, y.dtype()), i < n);
  });
}

/// Its programs overlap by one element.
static Kernel scaleRacing() {
  return kernel("scale_racing", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                   Const<"BLOCK", 256> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * (B - 1) + arange(B);
    store(y + i, cast(load(x + i, i < n) * factor, y.dtype()), i < n);
  });
}

/// The same, telling what it does and refusing NaN.
static Kernel scaleChecked() {
  return kernel("scale_checked", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                    Const<"BLOCK", 256> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    Tile value = load(x + i, i < n);
    print("factor", factor);
    device_assert(value == value, "x is a \"number\"");
    store(y + i, cast(value * factor, y.dtype()), i < n);
  });
}

/// The same with a probe; of its numbers, the logarithm of a negative one is the first NaN.
static Kernel scaleWatched() {
  return kernel("scale_watched", [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"factor"> factor, Scalar<"n"> n,
                                    Const<"BLOCK", 256> B) {
    grid(cdiv(n, B));
    Tile i = program_id(0) * B + arange(B);
    Tile value = load(x + i, i < n);
    probe("last", -max(cast(i, u32), 0));
    Tile lost = log(value) * 0;
    probe("lost", lost);
    store(y + i, cast(where(lost == 0, value, value) * factor, y.dtype()), i < n);
  });
}

/// Its body is no kernel at all.
static Kernel broken() {
  return kernel("broken", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 256> B) {
    Index i = tile_of(y, 0, B);
    y.store({i}, x.load({i}, {100}));
  });
}

static CaseFamily family(std::string name) {
  CaseFamily family;
  family.kernel = std::move(name);
  family.axes = {"N"};
  family.dtypes = {f16, f32};
  family.defaults = {"float32_1000"};
  family.make = [](const CaseName &caseName) {
    int64_t n = caseName.sizes[0];
    Case made;
    made.arguments.resize(4);
    made.arguments[0] = {.name = "x", .dtype = caseName.dtype, .sizes = {n}};
    made.arguments[1] = {
        .name = "y", .dtype = caseName.dtype, .sizes = {n}, .output = true, .random = false};
    made.arguments[2] = {.name = "factor", .dtype = f32, .random = false, .value = 3};
    made.arguments[3] = {
        .name = "n", .dtype = i64, .random = false, .value = static_cast<double>(n)};
    made.reference = [](ReferenceArrays &arrays) {
      for (size_t i = 0; i < arrays[1].size(); ++i)
        arrays[1][i] = arrays[0][i] * arrays[2][0];
    };
    return made;
  };
  return family;
}

METILE_EXPORT_KERNELS(registry) {
  for (const Kernel &kernel : {scale(), scaleWrong(), scaleShort(), scaleUnmasked(), scaleRacing(),
                               scaleChecked(), scaleWatched()}) {
    registry.add(kernel);
    registry.add(family(kernel.name()));
  }
  // The same kernel, and nothing but the interpreter to say what is right.
  Kernel plain = kernel("scale_plain", [](In<"x"> x, Out<"y"> y, Const<"BLOCK", 256> B) {
    Index i = tile_of(y, 0, B);
    y.store({i}, x.load({i}, {B}) * 3);
  });
  registry.add(plain);
  registry.add(broken());
  CaseFamily two;
  two.kernel = "broken";
  two.axes = {"N"};
  two.dtypes = {f32};
  two.defaults = {"float32_1000"};
  two.make = [](const CaseName &caseName) {
    Case made;
    made.arguments.resize(2);
    made.arguments[0] = {.name = "x", .dtype = f32, .sizes = caseName.sizes};
    made.arguments[1] = {
        .name = "y", .dtype = f32, .sizes = caseName.sizes, .output = true, .random = false};
    return made;
  };
  registry.add(two);
  two.kernel = "scale_plain";
  registry.add(two);
  registry.add(kernel("misfit", [](In<"source"> source, Out<"target"> target, Const<"B", 64> B) {
    Index i = tile_of(target, 0, B);
    target.store({i}, source.load({i}, {B}));
  }));
  two.kernel = "misfit";
  registry.add(two);
}
