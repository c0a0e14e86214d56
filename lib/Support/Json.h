// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Json: an ordered JSON value for reports, records and protocols. Objects keep the order of
// insertion, integers stay integers, and doubles print so that they read back as the same bits.
// Knows nothing of what is stored; the parser it uses does not show.
#pragma once

#include "metile/result.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace metile {

class Json {
public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  Json();
  Json(std::nullptr_t);
  Json(bool value);
  template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  Json(T value) : Json(Integer{static_cast<int64_t>(value)}) {}
  Json(double value);
  Json(std::string value);
  Json(std::string_view value);
  Json(const char *value);
  Json(Array elements);
  Json(Object members);
  Json(const Json &);
  Json(Json &&) noexcept;
  Json &operator=(const Json &);
  Json &operator=(Json &&) noexcept;
  ~Json();

  /// Json::object({{"a", 1}, {"b", "x"}}).
  static Json object(std::initializer_list<Member> members = {});
  static Json array(Array elements = {});
  /// An array of anything that converts to Json.
  template <class Range> static Json list(const Range &range);

  bool isNull() const { return value.index() == 0; }
  bool isBool() const { return value.index() == 1; }
  bool isInteger() const { return value.index() == 2; }
  /// An integer or a double.
  bool isNumber() const { return value.index() == 2 || value.index() == 3; }
  bool isString() const { return value.index() == 4; }
  bool isArray() const { return value.index() == 5; }
  bool isObject() const { return value.index() == 6; }
  /// "null", "boolean", "integer", "number", "string", "array", "object".
  std::string_view kindName() const;

  /// The value, or `otherwise` if this is of another kind.
  bool asBool(bool otherwise = false) const;
  int64_t asInteger(int64_t otherwise = 0) const;
  double asNumber(double otherwise = 0) const;
  const std::string &asString() const; ///< Empty if not a string.

  /// Elements of an array or an object; 0 for anything else.
  size_t size() const;
  /// Elements of an array; empty for anything else.
  const Array &elements() const;
  Array &elements();
  /// Members of an object; empty for anything else.
  const Object &members() const;
  Object &members();

  /// The member called `key`, or null if there is none or this is no object.
  const Json *find(std::string_view key) const;
  Json *find(std::string_view key);
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// The member called `key`; a null value if there is none.
  const Json &operator[](std::string_view key) const;
  /// The member called `key`, added at the end if there is none. A null becomes an object first.
  Json &operator[](std::string_view key);
  /// Element `index`; a null value if it is out of range.
  const Json &operator[](size_t index) const;
  const Json &operator[](int index) const { return (*this)[static_cast<size_t>(index)]; }
  const Json &operator[](const char *key) const { return (*this)[std::string_view(key)]; }
  Json &operator[](const char *key) { return (*this)[std::string_view(key)]; }
  /// Appends to an array. A null becomes an array first.
  void push(Json element);

  /// JSON text. `indent` < 0: one line; otherwise that many spaces a level. Not-a-number and
  /// infinities, which JSON lacks, print as null; bytes that are not UTF-8 as U+FFFD.
  std::string dump(int indent = -1) const;

  bool operator==(const Json &) const;

private:
  struct Integer {
    int64_t value;
  };
  explicit Json(Integer integer);

  std::variant<std::monostate, bool, int64_t, double, std::string, Array, Object> value;
};

struct Json::Member {
  std::string key;
  Json value;
  bool operator==(const Member &) const;
};

template <class Range> Json Json::list(const Range &range) {
  Array elements;
  for (const auto &element : range)
    elements.emplace_back(element);
  return Json(std::move(elements));
}

/// Parses JSON text; `name` stands in messages ("name:3:14: error: ..."). Two members of one name,
/// and nesting deeper than 200, are errors. Integers beyond 64 bits become doubles.
Result<Json> parseJson(std::string_view text, std::string_view name);

} // namespace metile
