// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseReference.h"

#include "Launch.h"
#include "Verb.h"

#include "Bench/Argument.h"
#include "Bench/Check.h"

#include <limits>

namespace metile::tools {

/// Runs `executable` on copies of `arrays`, laid out as the case says, and puts the outputs back.
static Status interpret(const Executable &executable, const Case &made, ReferenceArrays &arrays) {
  Result<bench::ArgumentSet> memory = bench::ArgumentSet::make(made, /*seed=*/0, /*shared=*/false);
  if (!memory)
    return memory.takeErrors();
  std::span<bench::Argument> arguments = memory->arguments();
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].isScalar)
      bench::writeElement(arguments[i].dtype, reinterpret_cast<std::byte *>(&arguments[i].scalar),
                          arrays[i].front());
    else if (arguments[i].output && !arguments[i].input)
      bench::poison(arguments[i]);
    else
      for (int64_t j = 0; j < arguments[i].count(); ++j)
        arguments[i].write(j, arrays[i][static_cast<size_t>(j)]);
  }
  if (Status ran = executable.launch(launchArguments(executable.artifact().arguments, arguments));
      !ran)
    return ran;
  for (size_t i = 0; i < arguments.size(); ++i)
    for (int64_t j = 0; arguments[i].output && j < arguments[i].count(); ++j)
      arrays[i][static_cast<size_t>(j)] = arguments[i].read(j);
  return Done{};
}

Status completeReference(Case &made, const Kernel &kernel, const CompileRequest &request) {
  if (made.reference)
    return Done{};
  CompileRequest forReference = request;
  forReference.target = "reference";
  forReference.schedule.clear(); // All legal constants give one result.
  Result<Artifact> artifact = compileCase(kernel, made, forReference);
  if (!artifact)
    return artifact.takeErrors();
  Result<Device> device = openDevice("reference", 1);
  if (!device)
    return device.takeErrors();
  Result<Executable> executable = Executable::load(*device, *artifact);
  if (!executable)
    return executable.takeErrors();
  made.reference = [executable = *executable, plain = made](ReferenceArrays &arrays) {
    Status ran = interpret(executable, plain, arrays);
    if (ran)
      return;
    fail(ran.errors());
    for (size_t i = 0; i < arrays.size(); ++i)
      if (plain.arguments[i].output)
        arrays[i].assign(arrays[i].size(), std::numeric_limits<double>::quiet_NaN());
  };
  return Done{};
}

} // namespace metile::tools
