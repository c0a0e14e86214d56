// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "Verb.h"

#include "metile/code_loader.h"
#include "metile/interpreter.h"

#include <algorithm>

namespace metile::tools {

Result<Device> openDevice(const std::string &name, unsigned threads) {
  std::vector<std::string> names = Device::names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    return unknownName("device", name, names);
  DeviceOptions options;
  options.threads = threads;
  options.codeLoader = &jitLoader();
  options.interpreter = &referenceInterpreter();
  return Device::open(name, options);
}

std::vector<Argument> launchArguments(std::span<const ArgumentInfo> infos,
                                      std::span<const bench::Argument> arguments) {
  std::vector<Argument> list;
  for (size_t i = 0; i < infos.size(); ++i) {
    const bench::Argument &argument = arguments[i];
    if (infos[i].role == ArgumentRole::scalar) {
      Argument scalar;
      scalar.kind = Argument::Kind::scalar;
      scalar.dtype = argument.dtype;
      scalar.bits = argument.scalar;
      list.push_back(scalar);
    } else if (infos[i].role == ArgumentRole::pointer) {
      Argument pointer =
          Argument::pointer(static_cast<const void *>(argument.data), argument.dtype);
      pointer.memory = argument.data;
      pointer.memoryBytes = argument.bytes;
      pointer.hasContents = argument.input;
      list.push_back(pointer);
    } else {
      list.push_back(Argument::view(static_cast<void *>(argument.data), argument.dtype,
                                    argument.sizes, argument.strides));
    }
  }
  return list;
}

} // namespace metile::tools
