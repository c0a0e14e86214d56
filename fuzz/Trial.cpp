// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Trial.h"

#include "Memory.h"

#include "Driver/CompileModule.h"
#include "Interpreter/Dither.h"
#include "metile/code_loader.h"
#include "metile/interpreter.h"

namespace metile::fuzz {

Result<Trial> openTrial(const std::vector<std::string> &names) {
  DeviceOptions options;
  options.codeLoader = &jitLoader();
  options.interpreter = &referenceInterpreter();
  Result<Device> reference = Device::open("reference", options);
  if (!reference)
    return reference.takeErrors();
  std::vector<Subject> subjects;
  for (const std::string &name : names) {
    // "cpu:x86-64-v3" is a target of the device "cpu".
    Result<Device> device = Device::open(name.substr(0, name.find(':')), options);
    if (!device)
      return device.takeErrors();
    subjects.push_back({name, std::move(*device)});
  }
  return Trial(std::move(*reference), std::move(subjects));
}

static Result<Executable> load(const Program &program, const Device &device,
                               const std::string &target, const std::string &schedule) {
  Result<Artifact> artifact = compileModule(program.module.get(), target, schedule);
  if (!artifact)
    return artifact.takeErrors();
  return Executable::load(device, *artifact);
}

static Status launch(const Executable &executable, const Device &device, LaunchMemory &memory) {
  Result<std::vector<Argument>> arguments = memory.arguments(device);
  if (!arguments)
    return arguments.takeErrors();
  return executable.launch(*arguments);
}

/// Evaluates the program again with roundings that go other ways.
static Status widen(Bounds &bounds, const Program &program, const Executable &interpreted,
                    const Device &reference) {
  using interpreter::Dither;
  constexpr uint64_t randomWays = 12;
  for (uint64_t i = 0; i < 2 + randomWays; ++i) {
    LaunchMemory memory(program);
    Dither dither(i == 0   ? Dither::Way::up
                  : i == 1 ? Dither::Way::down
                           : Dither::Way::random,
                  program.dataSeed + i);
    if (Status done = launch(interpreted, reference, memory); !done)
      return done;
    bounds.add(memory);
  }
  return Done{};
}

Outcome Trial::run(const Program &program) const {
  Result<Executable> interpreted = load(program, reference, "reference", "");
  if (!interpreted)
    return {Outcome::Kind::refused, "reference: " + interpreted.errors().str() + "\n"};
  Bounds bounds(program);
  LaunchMemory nominal(program);
  if (Status done = launch(*interpreted, reference, nominal); !done)
    return {Outcome::Kind::undefined, "reference: " + done.errors().str() + "\n"};
  bounds.add(nominal);

  bool isWidened = false;
  for (const Subject &subject : subjects) {
    std::vector<std::string> schedules = {""};
    schedules.insert(schedules.end(), program.schedules.begin(), program.schedules.end());
    for (const std::string &schedule : schedules) {
      std::string name = subject.target + (schedule.empty() ? "" : " with " + schedule) + ":\n";
      Result<Executable> compiled = load(program, subject.device, subject.target, schedule);
      if (!compiled)
        return {Outcome::Kind::refused, name + compiled.errors().str() + "\n"};
      LaunchMemory memory(program);
      if (Status done = launch(*compiled, subject.device, memory); !done)
        return {Outcome::Kind::differs, name + done.errors().str() + "\n"};
      std::string wrong = bounds.check(memory);
      if (!wrong.empty() && !isWidened) {
        if (Status done = widen(bounds, program, *interpreted, reference); !done)
          return {Outcome::Kind::undefined, "reference: " + done.errors().str() + "\n"};
        isWidened = true;
        wrong = bounds.check(memory);
      }
      if (!wrong.empty())
        return {Outcome::Kind::differs, name + wrong};
    }
  }
  return {};
}

} // namespace metile::fuzz
