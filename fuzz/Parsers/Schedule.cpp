// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules ("K=V,K=V") and names of targets.

#include "ParserTarget.h"

#include "Target/KnownTargets.h"
#include "Target/Schedule.h"

namespace metile::fuzz {

static void requireInRange(const Schedule &schedule) {
  for (const ScheduleFieldInfo &field : scheduleFields()) {
    auto inRange = [&](int64_t value) { return value >= field.min && value <= field.max; };
    bool isNumber = field.type == ScheduleFieldInfo::Type::number ||
                    field.type == ScheduleFieldInfo::Type::powerOfTwo;
    if (std::optional<int64_t> number = schedule.number(field.id); number && isNumber)
      require(inRange(*number), "the number of a field lies in its range");
    bool isPair = field.type == ScheduleFieldInfo::Type::pair;
    if (auto pair = schedule.pair(field.id); pair && isPair)
      require(inRange(pair->first) && inRange(pair->second), "a pair lies in its range");
  }
}

void feedSchedule(std::string_view input) {
  static const std::vector<ConstantChoice> constants = {{"BLOCK_M", {32, 64, 128}},
                                                        {"OFFSET", {-1, 0, 1}}};
  for (TargetKind kind :
       {TargetKind::cpu, TargetKind::cuda, TargetKind::metal, TargetKind::reference}) {
    Result<Schedule> schedule = Schedule::parse(input, constants, kind);
    if (!schedule) {
      requireForm(schedule.errors());
      continue;
    }
    requireInRange(*schedule);
    Result<Schedule> again = Schedule::parse(schedule->str(), constants, kind);
    require(again && again->str() == schedule->str(), "a schedule reads back as it prints");
  }

  Result<TargetDesc> target = findTarget(input);
  if (!target)
    return requireForm(target.errors());
  Result<TargetDesc> again = findTarget(target->name);
  require(again && again->name == target->name, "a target is found by its own name");
}

} // namespace metile::fuzz
