// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Npy.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>

namespace metile {
namespace {

/// A file of version 1 with `header` and `data`, as NumPy lays it out.
std::string file(std::string header, std::string_view data, int version = 1) {
  header += '\n';
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + std::string(data);
}

std::string refusal(std::string_view bytes) {
  Result<NpyArray> array = parseNpy(bytes, "x.npy");
  return array ? "accepted" : array.errors().str();
}

template <class T> std::vector<T> elements(const NpyArray &array) {
  std::vector<T> result(array.bytes.size() / sizeof(T));
  std::memcpy(result.data(), array.bytes.data(), array.bytes.size());
  return result;
}

const std::string sixBytes("\1\2\3\4\5\6", 6);

} // namespace

TEST(Npy, EveryDTypeAndShapeRoundTrips) {
  for (DType d : allDTypes)
    for (const std::vector<int64_t> &sizes :
         {std::vector<int64_t>{}, {5}, {0}, {3, 2}, {2, 0, 4}, {2, 3, 4}}) {
      NpyArray array{d, sizes, {}};
      size_t count = byteSize(d);
      for (int64_t size : sizes)
        count *= static_cast<size_t>(size);
      for (size_t i = 0; i < count; ++i)
        array.bytes.push_back(static_cast<std::byte>(d == boolean ? i % 2 : 7 * i));
      std::string bytes = npyBytes(array);
      EXPECT_EQ((bytes.size() - count) % 64, 0u) << "elements begin at a multiple of 64";
      Result<NpyArray> back = parseNpy(bytes, "x.npy");
      ASSERT_TRUE(back) << back.errors().str();
      EXPECT_EQ(back->dtype, d);
      EXPECT_EQ(back->sizes, sizes);
      EXPECT_EQ(back->bytes, array.bytes);
    }
}

TEST(Npy, ReadsWhatNumPyWrites) {
  Result<NpyArray> array = parseNpy(
      file("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }    ", sixBytes), "x.npy");
  ASSERT_TRUE(array) << array.errors().str();
  EXPECT_EQ(array->sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(elements<uint8_t>(*array), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  for (int version : {2, 3})
    EXPECT_EQ(refusal(file("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }", sixBytes,
                           version)),
              "accepted");
  EXPECT_EQ(
      parseNpy(file("{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }", sixBytes), "x.npy")
          ->dtype,
      bf16);
}

TEST(Npy, BytesHaveTheCodesOfMlDtypes) {
  for (auto [code, dtype] : {std::pair("V1", f8e4m3), {"f1", f8e5m2}})
    for (const char *order : {"<", "|"})
      EXPECT_EQ(parseNpy(file(std::string("{'descr': '") + order + code +
                                  "', 'fortran_order': False, 'shape': (6,), }",
                              sixBytes),
                         "x.npy")
                    ->dtype,
                dtype);
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  Result<NpyArray> array = parseNpy(
      file("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", sixBytes), "x.npy");
  ASSERT_TRUE(array) << array.errors().str();
  EXPECT_EQ(elements<int8_t>(*array), (std::vector<int8_t>{1, 3, 5, 2, 4, 6}));
}

TEST(Npy, WrongFilesAreNamed) {
  auto expect = [](const char *words, const std::string &bytes) {
    std::string text = refusal(bytes);
    EXPECT_NE(text.find("x.npy"), std::string::npos) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  expect("no .npy file", "hello");
  expect("no .npy file", "");
  expect("version 9", file("{}", "", 9));
  expect("header cannot be read", file("{'descr': '|u1', 'shape': (6,), }", sixBytes));
  expect("header cannot be read",
         file("{'descr': '|u1', 'fortran_order': False, 'shape': (-6,), }", sixBytes));
  expect("'>f4'", file("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", sixBytes));
  expect("'<c8'", file("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", sixBytes));
  expect("larger than memory",
         file("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,8), }", ""));
  expect(
      "larger than memory",
      file("{'descr': '|u1', 'fortran_order': False, 'shape': (0,4611686018427387904,8), }", ""));
  std::string axes;
  for (int axis = 0; axis < 65; ++axis)
    axes += "1,";
  expect("has 65 axes; at most 64",
         file("{'descr': '|u1', 'fortran_order': False, 'shape': (" + axes + "), }", "x"));
  expect("take 7", file("{'descr': '|u1', 'fortran_order': False, 'shape': (7,), }", sixBytes));
  expect("take 5", file("{'descr': '|u1', 'fortran_order': False, 'shape': (5,), }", sixBytes));
  Result<NpyArray> missing = readNpy("/no/such/file.npy");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.errors().str().find("/no/such/file.npy"), std::string::npos);
}

TEST(Npy, EveryTruncationIsRefused) {
  std::string bytes = npyBytes({u16, {3}, std::vector<std::byte>(6)});
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(refusal(std::string_view(bytes).substr(0, length)), "accepted") << length;
}

} // namespace metile
