// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedule: what the user asks of the planner, parsed from "K=V,K=V" and checked against
// ScheduleFields.def. Each field given is a requirement. Must not know kernels beyond the names and
// legal values of their constants.
#pragma once

#include "Target/TargetDesc.h"
#include "metile/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metile {

enum class ScheduleField : uint8_t {
#define METILE_SCHEDULE_FIELD(id, name, type, min, max, choices, targets, meaning) id,
#include "Target/ScheduleFields.def"
};

/// One row of ScheduleFields.def.
struct ScheduleFieldInfo {
  enum class Type : uint8_t { number, powerOfTwo, pair, flag, choice };
  ScheduleField id;
  std::string_view name;
  Type type;
  int64_t min, max;
  std::string_view choices; ///< Separated by '|'.
  std::string_view targets; ///< Separated by ','.
  std::string_view meaning;

  bool existsOn(TargetKind kind) const;
  /// "1 to 8", "true or false", "strict, default or fast".
  std::string range() const;
};

/// All rows, in the order of the file.
std::span<const ScheduleFieldInfo> scheduleFields();

/// An open constant of a kernel: a schedule may fix it.
struct ConstantChoice {
  std::string name;
  std::vector<int64_t> values; ///< The legal ones.
};

class Schedule {
public:
  /// Parses "K=V,K=V" (spaces are ignored, empty text is the empty schedule) for `kind` and a
  /// kernel with `constants`. All mistakes come back together: a field that is unknown, given
  /// twice, out of range or absent on that kind of target.
  static Result<Schedule> parse(std::string_view text, std::span<const ConstantChoice> constants,
                                TargetKind kind);

  /// Constants of the kernel that were given, sorted by name.
  const std::vector<std::pair<std::string, int64_t>> &constants() const { return fixed; }

  bool has(ScheduleField field) const { return find(field) != nullptr; }
  /// The value of a number or powerOfTwo field.
  std::optional<int64_t> number(ScheduleField field) const;
  std::optional<bool> flag(ScheduleField field) const;
  std::optional<std::pair<int64_t, int64_t>> pair(ScheduleField field) const;
  std::optional<std::string_view> choice(ScheduleField field) const;

  bool empty() const { return fixed.empty() && values.empty(); }
  /// The same schedule in one normal spelling: constants first, each group sorted.
  std::string str() const;

private:
  struct Value {
    const ScheduleFieldInfo *info;
    std::string text; ///< Normal spelling.
    int64_t first = 0, second = 0;
  };
  const Value *find(ScheduleField field) const;
  std::vector<std::pair<std::string, int64_t>> fixed;
  std::vector<Value> values;
};

} // namespace metile
