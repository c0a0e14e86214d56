// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Rewriter.h"

#include <gtest/gtest.h>

namespace metile::emulator {
namespace {

struct Rewriting {
  std::string text;
  TokenList tokens;
  RewrittenText result;

  explicit Rewriting(std::string source, const RewriteRequest &request = {})
      : text("# 1 \"a.metal\"\n" + std::move(source)) {
    tokens = lex(text, [](const std::string &) { return std::nullopt; });
    result = rewrite(tokens, request);
  }
  /// The rewritten text with single spaces.
  std::string plain() const {
    std::string plain;
    for (char c : result.text)
      if (c != ' ' && c != '\n')
        plain += c;
      else if (!plain.empty() && plain.back() != ' ')
        plain += ' ';
    return plain;
  }
  bool has(const std::string &part) const { return plain().find(part) != std::string::npos; }
};

} // namespace

TEST(Rewriter, ErasesAddressSpaces) {
  Rewriting done("device float *f(threadgroup float *a, constant int &n, const constant int *m);");
  EXPECT_TRUE(done.has("float *f( float *a, const int &n, const int *m);")) << done.plain();
}

TEST(Rewriter, AttributesGoOnlyWhereTheyAre) {
  Rewriting done("int f(int i [[thread_index_in_simdgroup]]) { int a[2]; return a[a[0]]; }");
  EXPECT_TRUE(done.has("a[a[0]]")) << done.plain();
  EXPECT_FALSE(done.has("thread_index_in_simdgroup"));
}

TEST(Rewriter, ThreadgroupVariablesGetTheirPlace) {
  Rewriting done("void f() { threadgroup half a[2][8], b[4]; threadgroup half *p = a[0]; }");
  EXPECT_TRUE(done.has("{ half a[ 2 ][ 8 ]; }")) << done.plain();
  EXPECT_TRUE(done.has("{ half b[ 4 ]; }"));
  EXPECT_TRUE(done.has("auto &b ="));
  EXPECT_TRUE(done.has("half *p = a[0];"));
}

TEST(Rewriter, InitialisersOfThreadgroupVariablesAreLeftOut) {
  Rewriting done("void f() { threadgroup int a[4] = {0}; threadgroup vec<int, 2> v; }");
  EXPECT_FALSE(done.has("{0}")) << done.plain();
  EXPECT_TRUE(done.has("{ vec < int , 2 > v; }")) << done.plain();
}

TEST(Rewriter, DeclarationsThatBecomeTheSameAreMerged) {
  Rewriting done("struct C { operator int() const thread { return 1; } "
                 "operator int() const device { return 2; } C(int x) threadgroup : v(x) {} "
                 "C(int x) constant : v(x) {} int v; };"
                 "int get(device int *p) { return 3; } int get(threadgroup int *q) { return 4; }"
                 "int get(constant int *p) { return 5; }");
  EXPECT_TRUE(done.has("return 1"));
  EXPECT_FALSE(done.has("return 2")) << done.plain();
  EXPECT_TRUE(done.has("return 3"));
  EXPECT_FALSE(done.has("return 4")) << done.plain();
  // A constant pointer is a pointer to const, another type.
  EXPECT_TRUE(done.has("return 5"));
}

TEST(Rewriter, FindsKernelsHoweverTheyAreWritten) {
  Rewriting done(R"(
kernel void plain(device int *a) {}
[[kernel]] void marked(device int *a) {}
template <typename T> kernel void typed(device T *a) {}
typedef decltype(typed<int>) typed_t;
template [[host_name("by_type")]] kernel typed_t typed<int>;
template [[host_name("by" "_decltype")]] [[kernel]] decltype(typed<float>) typed<float>;
template [[host_name("by_signature")]] kernel void typed<half>(device half *a);
namespace n { kernel void inside(device int *a) {} }
)");
  std::vector<std::string> names;
  for (const KernelName &kernel : done.result.kernels)
    names.push_back(kernel.name);
  EXPECT_EQ(names, (std::vector<std::string>{"plain", "marked", "by_type", "by_decltype",
                                             "by_signature", "inside"}));
  EXPECT_TRUE(done.has("&::n::inside"));
  EXPECT_TRUE(done.has("&::typed < half >")) << done.plain();
}

TEST(Rewriter, FunctionConstantsAreCompileTimeValues) {
  RewriteRequest request;
  request.constants = {{"flag", {"true"}}, {"7", {"3"}}};
  Rewriting done("constant bool flag [[function_constant(1)]]; "
                 "static constant int size [[function_constant(7)]]; "
                 "bool known() { return is_function_constant_defined(flag); }",
                 request);
  EXPECT_TRUE(done.has("constexpr bool flag = static_cast<bool>(true)")) << done.plain();
  EXPECT_TRUE(done.has("functionConstant<int, (7)>"));
  EXPECT_TRUE(done.has("GivenConstant<7>"));
  EXPECT_TRUE(done.has("return metileGiven_flag"));
}

TEST(Rewriter, HalfLiterals) {
  Rewriting done("half h = 1.5h + 2h; bfloat b = 3.0bf; int x = 0x1f;");
  EXPECT_TRUE(done.has("half(1.5f) + half(2.0f)")) << done.plain();
  EXPECT_TRUE(done.has("bfloat(3.0f)"));
  EXPECT_TRUE(done.has("0x1f"));
}

TEST(Rewriter, TokensKeepTheirPlaces) {
  std::string source = "kernel  void   f(device int *a)   {\n  a[0] = 1;\n}\n";
  std::string text = "# 1 \"a.metal\"\nkernel void f(device int *a) {\n a[0] = 1;\n}\n";
  TokenList tokens = lex(text, [&](const std::string &) { return source; });
  RewrittenText done = rewrite(tokens, {.kernel = "f", .constants = {}});
  ASSERT_TRUE(done.hasEntry);
  size_t at = done.text.find("a[0]");
  ASSERT_NE(at, std::string::npos);
  auto line =
      static_cast<uint32_t>(1 + std::count(done.text.begin(), done.text.begin() + at, '\n'));
  auto column = static_cast<uint32_t>(at - done.text.rfind('\n', at));
  EXPECT_EQ(done.map.find(line, column).str(), "a.metal:2:3");
  EXPECT_EQ(done.map.find(line, column + 5).str(), "a.metal:2:8");
}

} // namespace metile::emulator
