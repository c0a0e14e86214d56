// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/Json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

namespace metile {

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(bool boolean) : value(boolean) {}
Json::Json(Integer integer) : value(integer.value) {}
Json::Json(double number) : value(number) {}
Json::Json(std::string text) : value(std::move(text)) {}
Json::Json(std::string_view text) : value(std::string(text)) {}
Json::Json(const char *text) : value(std::string(text)) {}
Json::Json(Array elements) : value(std::move(elements)) {}
Json::Json(Object members) : value(std::move(members)) {}
Json::Json(const Json &) = default;
Json::Json(Json &&) noexcept = default;
Json &Json::operator=(const Json &) = default;
Json &Json::operator=(Json &&) noexcept = default;
Json::~Json() = default;
bool Json::operator==(const Json &) const = default;
bool Json::Member::operator==(const Member &) const = default;

Json Json::object(std::initializer_list<Member> members) { return Json(Object(members)); }
Json Json::array(Array elements) { return Json(std::move(elements)); }

std::string_view Json::kindName() const {
  constexpr std::string_view names[] = {"null",   "boolean", "integer", "number",
                                        "string", "array",   "object"};
  return names[value.index()];
}

bool Json::asBool(bool otherwise) const {
  const bool *held = std::get_if<bool>(&value);
  return held ? *held : otherwise;
}

int64_t Json::asInteger(int64_t otherwise) const {
  const int64_t *held = std::get_if<int64_t>(&value);
  return held ? *held : otherwise;
}

double Json::asNumber(double otherwise) const {
  if (const double *held = std::get_if<double>(&value))
    return *held;
  return isInteger() ? static_cast<double>(asInteger()) : otherwise;
}

const std::string &Json::asString() const {
  static const std::string none;
  const std::string *held = std::get_if<std::string>(&value);
  return held ? *held : none;
}

size_t Json::size() const { return isArray() ? elements().size() : members().size(); }

const Json::Array &Json::elements() const {
  static const Array none;
  const Array *held = std::get_if<Array>(&value);
  return held ? *held : none;
}

Json::Array &Json::elements() {
  if (!isArray())
    value = Array();
  return std::get<Array>(value);
}

const Json::Object &Json::members() const {
  static const Object none;
  const Object *held = std::get_if<Object>(&value);
  return held ? *held : none;
}

Json::Object &Json::members() {
  if (!isObject())
    value = Object();
  return std::get<Object>(value);
}

const Json *Json::find(std::string_view key) const {
  for (const Member &member : members())
    if (member.key == key)
      return &member.value;
  return nullptr;
}

Json *Json::find(std::string_view key) {
  return const_cast<Json *>(static_cast<const Json *>(this)->find(key));
}

const Json &Json::operator[](std::string_view key) const {
  static const Json none;
  const Json *found = find(key);
  return found ? *found : none;
}

Json &Json::operator[](std::string_view key) {
  if (Json *found = find(key))
    return *found;
  members().push_back({std::string(key), Json()});
  return members().back().value;
}

const Json &Json::operator[](size_t index) const {
  static const Json none;
  return index < elements().size() ? elements()[index] : none;
}

void Json::push(Json element) { elements().push_back(std::move(element)); }

//===--- Writing ---===//

namespace {

std::string quoted(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string number(double value) {
  if (!std::isfinite(value))
    return "null";
  char buffer[40];
  auto [end, problem] = std::to_chars(buffer, buffer + sizeof buffer, value);
  (void)problem;
  std::string text(buffer, end);
  // Without a point it would read back as an integer.
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

void write(const Json &json, int indent, int depth, std::string &out) {
  auto newLine = [&](int level) {
    if (indent >= 0)
      out.append(1, '\n').append(static_cast<size_t>(indent) * static_cast<size_t>(level), ' ');
  };
  std::string_view separator = indent >= 0 ? "," : ", ";
  bool first = true;
  auto next = [&] {
    if (!std::exchange(first, false))
      out += separator;
    newLine(depth + 1);
  };
  if (json.isNull()) {
    out += "null";
  } else if (json.isBool()) {
    out += json.asBool() ? "true" : "false";
  } else if (json.isInteger()) {
    out += std::to_string(json.asInteger());
  } else if (json.isNumber()) {
    out += number(json.asNumber());
  } else if (json.isString()) {
    out += quoted(json.asString());
  } else if (json.size() == 0) {
    out += json.isArray() ? "[]" : "{}";
  } else if (json.isArray()) {
    out += '[';
    for (const Json &element : json.elements()) {
      next();
      write(element, indent, depth + 1, out);
    }
    newLine(depth);
    out += ']';
  } else {
    out += '{';
    for (const Json::Member &member : json.members()) {
      next();
      out += quoted(member.key) + ": ";
      write(member.value, indent, depth + 1, out);
    }
    newLine(depth);
    out += '}';
  }
}

//===--- Reading ---===//

/// Receives the parser's events and builds the value. Returning false stops the parser.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return add(static_cast<double>(value));
    return add(value);
  }
  bool number_float(number_float_t value, const string_t &) override { return add(value); }
  bool string(string_t &value) override { return add(std::move(value)); }
  bool binary(binary_t &) override { return false; }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t &text) override {
    keys.back() = std::move(text);
    return true;
  }
  bool end_object() override {
    std::vector<std::string_view> names;
    for (const Json::Member &member : std::as_const(levels.back()).members())
      names.push_back(member.key);
    std::sort(names.begin(), names.end());
    auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end())
      return close();
    problem = "an object that ends here has two members called " + quoted(std::string(*twice));
    return false;
  }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::json::exception &thrown) override {
    at = position;
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
    std::string_view text = thrown.what();
    text.remove_prefix(text.find("] ") + 2);
    if (text.starts_with("parse error"))
      text.remove_prefix(text.find(": ") + 2);
    problem = text;
    return false;
  }

  Json result;
  std::string problem;
  size_t at = 0; ///< Bytes read when the problem was found; 0 if the parser did not say.

private:
  static constexpr size_t maxDepth = 200;

  bool add(Json value) {
    if (levels.empty())
      result = std::move(value);
    else if (levels.back().isArray())
      levels.back().push(std::move(value));
    else
      levels.back().members().push_back({std::move(keys.back()), std::move(value)});
    return true;
  }
  bool open(Json empty) {
    if (levels.size() == maxDepth) {
      problem = "nested deeper than " + std::to_string(maxDepth) + " levels";
      return false;
    }
    levels.push_back(std::move(empty));
    keys.emplace_back();
    return true;
  }
  bool close() {
    Json done = std::move(levels.back());
    levels.pop_back();
    keys.pop_back();
    return add(std::move(done));
  }

  std::vector<Json> levels;
  std::vector<std::string> keys;
};

/// Walks the text and remembers how far the parser has come.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char *;
  using reference = const char &;

  const char *here;
  const char **furthest;

  reference operator*() const { return *here; }
  CountingIterator &operator++() {
    *furthest = ++here;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator &other) const { return here == other.here; }
};

Location placeOf(std::string_view text, size_t position, std::string_view name) {
  std::string_view before = text.substr(0, std::min(position, text.size()));
  size_t lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  size_t lineStart = before.rfind('\n') + 1; // npos + 1 == 0
  return {std::string(name),
          static_cast<uint32_t>(lines + 1),
          static_cast<uint32_t>(before.size() - lineStart + 1),
          {}};
}

} // namespace

std::string Json::dump(int indent) const {
  std::string out;
  write(*this, indent, 0, out);
  return out;
}

Result<Json> parseJson(std::string_view text, std::string_view name) {
  Builder builder;
  const char *first = std::to_address(text.begin()), *furthest = first;
  CountingIterator begin{first, &furthest}, end{first + text.size(), &furthest};
  if (nlohmann::json::sax_parse(begin, end, &builder))
    return std::move(builder.result);
  size_t position = builder.at ? builder.at : static_cast<size_t>(furthest - first);
  // Positions count the bytes read, the offending one included.
  return error(placeOf(text, position ? position - 1 : 0, name), "not JSON: " + builder.problem);
}

} // namespace metile
