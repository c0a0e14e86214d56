// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Target/Schedule.h"

#include "Support/Nearest.h"

#include <charconv>

namespace metile {

namespace {

constexpr ScheduleFieldInfo fieldRows[] = {
#define METILE_SCHEDULE_FIELD(id, name, type, min, max, choices, targets, meaning)                 \
  {ScheduleField::id, name, ScheduleFieldInfo::Type::type, min, max, choices, targets, meaning},
#include "Target/ScheduleFields.def"
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (true) {
    size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == text.size())
      return parts;
    begin = end + 1;
  }
}

std::string withoutSpaces(std::string_view text) {
  std::string kept;
  for (char c : text)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
      kept += c;
  return kept;
}

std::optional<int64_t> parseNumber(std::string_view text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::string listValues(const std::vector<int64_t> &values) {
  std::vector<std::string> texts;
  for (int64_t value : values)
    texts.push_back(std::to_string(value));
  return listNames(texts);
}

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

} // namespace

std::span<const ScheduleFieldInfo> scheduleFields() { return fieldRows; }

bool ScheduleFieldInfo::existsOn(TargetKind kind) const {
  for (const std::string &target : split(targets, ','))
    if (target == metile::name(kind))
      return true;
  return false;
}

std::string ScheduleFieldInfo::range() const {
  std::string bounds = std::to_string(min) + " to " + std::to_string(max);
  switch (type) {
  case Type::number:
    return bounds;
  case Type::powerOfTwo:
    return "powers of two from " + bounds;
  case Type::pair:
    return "two numbers from " + bounds + ", written as 4x2";
  case Type::flag:
    return "true or false";
  case Type::choice:
    return listNames(split(choices, '|'));
  }
  return {};
}

Result<Schedule> Schedule::parse(std::string_view text, std::span<const ConstantChoice> constants,
                                 TargetKind kind) {
  Schedule schedule;
  Errors errors;
  auto mistake = [&](std::string found, std::string allowed, std::string change = {}) {
    errors.diagnostics.push_back(
        {{}, "schedule: " + std::move(found), std::move(allowed), std::move(change)});
  };
  std::vector<std::string> seen;
  for (const std::string &part : split(withoutSpaces(text), ',')) {
    if (part.empty())
      continue;
    size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size()) {
      mistake("'" + part + "' is no field", "a schedule is KEY=VALUE,KEY=VALUE,…");
      continue;
    }
    std::string key = part.substr(0, equals), value = part.substr(equals + 1);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
      mistake("'" + key + "' is given twice", "each field once", "remove one of the two");
      continue;
    }
    seen.push_back(key);

    auto constant = std::find_if(constants.begin(), constants.end(),
                                 [&](const ConstantChoice &c) { return c.name == key; });
    if (constant != constants.end()) {
      std::optional<int64_t> number = parseNumber(value);
      if (!number || std::find(constant->values.begin(), constant->values.end(), *number) ==
                         constant->values.end())
        mistake("'" + value + "' is no value of the kernel's constant " + key,
                "legal are " + listValues(constant->values));
      else
        schedule.fixed.emplace_back(key, *number);
      continue;
    }

    auto info = std::find_if(std::begin(fieldRows), std::end(fieldRows),
                             [&](const ScheduleFieldInfo &row) { return row.name == key; });
    if (info == std::end(fieldRows)) {
      std::vector<std::string> names;
      for (const ConstantChoice &c : constants)
        names.push_back(c.name);
      for (const ScheduleFieldInfo &row : fieldRows)
        if (row.existsOn(kind))
          names.emplace_back(row.name);
      std::vector<std::string> nearest = nearestNames(key, names);
      mistake("unknown field '" + key + "'", "fields here are " + listNames(names, "and"),
              nearest.empty() ? "" : "did you mean " + listNames(nearest) + "?");
      continue;
    }
    if (!info->existsOn(kind)) {
      mistake("field '" + key + "' does not exist on " + std::string(metile::name(kind)),
              "it exists on " + listNames(split(info->targets, ','), "and"), "remove it");
      continue;
    }

    Value parsed;
    parsed.info = info;
    parsed.text = value;
    bool good = false;
    switch (info->type) {
    case ScheduleFieldInfo::Type::number:
    case ScheduleFieldInfo::Type::powerOfTwo:
      if (std::optional<int64_t> number = parseNumber(value)) {
        parsed.first = *number;
        parsed.text = std::to_string(*number);
        good = *number >= info->min && *number <= info->max &&
               (info->type == ScheduleFieldInfo::Type::number || isPowerOfTwo(*number));
      }
      break;
    case ScheduleFieldInfo::Type::pair:
      if (std::vector<std::string> numbers = split(value, 'x'); numbers.size() == 2) {
        std::optional<int64_t> first = parseNumber(numbers[0]), second = parseNumber(numbers[1]);
        good = first && second && *first >= info->min && *first <= info->max &&
               *second >= info->min && *second <= info->max;
        if (good) {
          parsed.first = *first;
          parsed.second = *second;
          parsed.text = std::to_string(*first) + "x" + std::to_string(*second);
        }
      }
      break;
    case ScheduleFieldInfo::Type::flag:
      parsed.first = value == "true" || value == "True" || value == "1";
      good = parsed.first || value == "false" || value == "False" || value == "0";
      parsed.text = parsed.first ? "true" : "false";
      break;
    case ScheduleFieldInfo::Type::choice: {
      std::vector<std::string> choices = split(info->choices, '|');
      good = std::find(choices.begin(), choices.end(), value) != choices.end();
      break;
    }
    }
    if (good)
      schedule.values.push_back(std::move(parsed));
    else
      mistake("'" + value + "' is no value of " + key, "legal are " + info->range(),
              key + ": " + std::string(info->meaning));
  }
  if (!errors.diagnostics.empty())
    return errors;
  std::sort(schedule.fixed.begin(), schedule.fixed.end());
  std::sort(schedule.values.begin(), schedule.values.end(),
            [](const Value &a, const Value &b) { return a.info->name < b.info->name; });
  return schedule;
}

const Schedule::Value *Schedule::find(ScheduleField field) const {
  for (const Value &value : values)
    if (value.info->id == field)
      return &value;
  return nullptr;
}

std::optional<int64_t> Schedule::number(ScheduleField field) const {
  const Value *value = find(field);
  return value ? std::optional(value->first) : std::nullopt;
}

std::optional<bool> Schedule::flag(ScheduleField field) const {
  const Value *value = find(field);
  return value ? std::optional(value->first != 0) : std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>> Schedule::pair(ScheduleField field) const {
  const Value *value = find(field);
  return value ? std::optional(std::pair(value->first, value->second)) : std::nullopt;
}

std::optional<std::string_view> Schedule::choice(ScheduleField field) const {
  const Value *value = find(field);
  return value ? std::optional<std::string_view>(value->text) : std::nullopt;
}

std::string Schedule::str() const {
  std::string text;
  for (const auto &[name, value] : fixed)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(value);
  for (const Value &value : values)
    text += (text.empty() ? "" : ",") + std::string(value.info->name) + "=" + value.text;
  return text;
}

} // namespace metile
