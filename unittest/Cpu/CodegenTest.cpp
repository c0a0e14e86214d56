// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code generation makes and what it refuses, for every CPU row.

#include "ElementwiseKernel.h"

using namespace metile;
using namespace metile::cpu;

namespace {

std::string functionOf(std::string_view body, std::string_view type) {
  std::string text = R"(
func.func @kernel(%pa: !llvm.ptr, %pb: !llvm.ptr) {
  %a = llvm.load %pa {alignment = 4 : i64} : !llvm.ptr -> TYPE
  %b = llvm.load %pb {alignment = 4 : i64} : !llvm.ptr -> TYPE
  BODY
  llvm.store %r, %pb {alignment = 4 : i64} : TYPE, !llvm.ptr
  return
})";
  return replaceAll(replaceAll(text, "BODY", body), "TYPE", type);
}

constexpr const char *add = "%r = arith.addf %a, %b : TYPE";

TEST(Codegen, EachRowUsesItsOwnRegisters) {
  auto assemblyFor = [](std::string_view row, std::string_view type) {
    TileRunner runner(row);
    Result<std::string> text = runner.assembly(functionOf(add, type));
    EXPECT_TRUE(text) << text.errors().str();
    return text ? *text : std::string();
  };
  EXPECT_NE(assemblyFor("cpu:x86-64-v4", "vector<16xf32>").find("zmm"), std::string::npos);
  // Wider vectors than the row has are split, not widened.
  std::string avx2 = assemblyFor("cpu:x86-64-v3", "vector<16xf32>");
  EXPECT_EQ(avx2.find("zmm"), std::string::npos);
  EXPECT_NE(avx2.find("ymm"), std::string::npos);
  std::string neon = assemblyFor("cpu:armv8.2", "vector<4xf32>");
  EXPECT_NE(neon.find("fadd\tv0.4s"), std::string::npos) << neon;
}

TEST(Codegen, ConstantsAreAddressedRelativeToTheCode) {
  TileRunner runner("cpu:x86-64-v4");
  Result<std::string> text =
      runner.assembly(functionOf("%r = math.exp %a : TYPE", "vector<16xf32>"));
  ASSERT_TRUE(text) << text.errors().str();
  EXPECT_NE(text->find("(%rip)"), std::string::npos);
  EXPECT_EQ(text->find("movabs"), std::string::npos);
  EXPECT_NE(text->find("vscalefps"), std::string::npos);
}

/// Every elementary function on every row, as vectors and scalars of every float type: nothing is
/// left that would call a library.
TEST(Codegen, ElementaryFunctionsCallNothing) {
  for (const TargetDesc &row : knownTargets()) {
    TileRunner runner(row.name);
    for (std::string_view function :
         {"exp", "exp2", "log", "log2", "tanh", "erf", "sin", "cos", "sqrt", "rsqrt", "floor",
          "ceil", "trunc", "roundeven", "absf"})
      for (std::string_view type : {"f16", "bf16", "f32", "f64", "vector<8xf16>", "vector<8xbf16>",
                                    "vector<16xf32>", "vector<8xf64>"}) {
        Result<std::string> object =
            runner.object(functionOf("%r = math." + std::string(function) + " %a : TYPE", type));
        EXPECT_TRUE(object) << row.name << " " << function << " " << type << ": "
                            << object.errors().str();
      }
  }
}

TEST(Codegen, ConversionsCallNothing) {
  const std::vector<std::pair<std::string, int>> floats = {
      {"f16", 11}, {"bf16", 8}, {"f32", 24}, {"f64", 53}};
  for (const TargetDesc &row : knownTargets()) {
    TileRunner runner(row.name);
    auto expectObject = [&](const std::string &operation, const std::string &from,
                            const std::string &to) {
      for (bool isVector : {false, true}) {
        auto typeOf = [&](const std::string &element) {
          return isVector ? "vector<8x" + element + ">" : element;
        };
        std::string text = R"(
func.func @kernel(%pa: !llvm.ptr) {
  %a = llvm.load %pa {alignment = 1 : i64} : !llvm.ptr -> FROM
  %r = OPERATION
  llvm.store %r, %pa {alignment = 1 : i64} : TO, !llvm.ptr
  return
})";
        text = replaceAll(text, "OPERATION", operation);
        text = replaceAll(replaceAll(text, "FROM", typeOf(from)), "TO", typeOf(to));
        Result<std::string> object = runner.object(text);
        EXPECT_TRUE(object) << row.name << " " << text << object.errors().str();
      }
    };
    for (const auto &[from, fromDigits] : floats) {
      for (const auto &[to, toDigits] : floats) {
        if (fromDigits > 11 && fromDigits > toDigits)
          expectObject("tile.round %a : FROM -> TO", from, to);
        if ((from == "f16" || from == "bf16") && toDigits > 11)
          expectObject("arith.extf %a : FROM to TO", from, to);
      }
      for (const char *integer : {"i8", "i16", "i32", "i64"})
        for (const char *sign : {"", "unsigned "}) {
          expectObject(std::string("tile.to_int ") + sign + "%a : FROM -> TO", from, integer);
          expectObject(std::string("tile.from_int ") + sign + "%a : FROM -> TO", integer, from);
        }
      expectObject("tile.from_int unsigned %a : FROM -> TO", "i1", from);
    }
  }
}

TEST(Codegen, RefusesForeignFunctionsByName) {
  TileRunner runner;
  Result<std::string> object = runner.object(R"(
func.func private @cosf(f32) -> f32
func.func @kernel(%x: f32) -> f32 {
  %r = func.call @cosf(%x) : (f32) -> f32
  return %r : f32
})");
  ASSERT_FALSE(object);
  EXPECT_NE(object.errors().str().find("cosf"), std::string::npos) << object.errors().str();
}

TEST(Codegen, RefusesWhatHasNoCode) {
  TileRunner runner;
  Result<std::string> object = runner.object(functionOf("%r = math.atan %a : TYPE", "f32"));
  ASSERT_FALSE(object);
  EXPECT_NE(object.errors().str().find("'math.atan' has no code on a CPU"), std::string::npos)
      << object.errors().str();
}

TEST(Codegen, SameTextSameBytes) {
  TileRunner first, second;
  std::string text = functionOf("%r = math.sin %a : TYPE", "vector<16xf32>");
  Result<std::string> a = first.object(text), b = second.object(text);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
}

TEST(JitLoader, LoadsManyAndForgetsThem) {
  TileRunner runner;
  Result<std::string> object = runner.object(R"(
func.func @twice(%x: i64) -> i64 {
  %r = arith.addi %x, %x : i64
  return %r : i64
})");
  ASSERT_TRUE(object) << object.errors().str();
  std::vector<std::shared_ptr<LoadedCode>> kept;
  for (int i = 0; i < 100; ++i) {
    Result<std::shared_ptr<LoadedCode>> code = jitLoader().load(*object, "twice");
    ASSERT_TRUE(code) << code.errors().str();
    auto *twice = reinterpret_cast<int64_t (*)(int64_t)>((*code)->lookup("twice"));
    ASSERT_NE(twice, nullptr);
    EXPECT_EQ(twice(21), 42);
    EXPECT_EQ((*code)->lookup("thrice"), nullptr);
    if (i % 10 == 0)
      kept.push_back(*code);
  }
  for (const auto &code : kept)
    EXPECT_EQ(reinterpret_cast<int64_t (*)(int64_t)>(code->lookup("twice"))(4), 8);
}

TEST(JitLoader, RefusesBadObjects) {
  for (std::string bytes : {std::string(), std::string("not an object"), std::string(200, '\0')}) {
    Result<std::shared_ptr<LoadedCode>> code = jitLoader().load(bytes, "bad.o");
    ASSERT_FALSE(code);
    EXPECT_NE(code.errors().str().find("bad.o"), std::string::npos) << code.errors().str();
  }
  TileRunner runner;
  Result<std::string> object = runner.object(functionOf(add, "f32"));
  ASSERT_TRUE(object);
  for (size_t size : {16ul, 64ul, object->size() / 2, object->size() - 40})
    EXPECT_FALSE(jitLoader().load(std::string_view(*object).substr(0, size), "short.o")) << size;
  TileRunner foreign(runner.target.triple.rfind("x86_64", 0) == 0 ? "cpu:armv8.2"
                                                                  : "cpu:x86-64-v3");
  Result<std::string> other = foreign.object(functionOf(add, "f32"));
  ASSERT_TRUE(other) << other.errors().str();
  Result<std::shared_ptr<LoadedCode>> code = jitLoader().load(*other, "foreign.o");
  ASSERT_FALSE(code);
  EXPECT_NE(code.errors().str().find("foreign.o: it holds code for"), std::string::npos)
      << code.errors().str();
}

} // namespace
