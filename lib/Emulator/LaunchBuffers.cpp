// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/LaunchBuffers.h"

#include "Support/Nearest.h"

#include <algorithm>
#include <cstring>

namespace metile::emulator {

Errors LaunchBuffers::fail(const std::string &found, const std::string &allowed) const {
  return error(kernelName + ": " + found, allowed);
}

//===--- Binding ---===//

Status LaunchBuffers::bind(const KernelModule &kernel, const std::string &name,
                           std::span<const BufferArgument> arguments) {
  kernelName = name;
  std::vector<std::string> names;
  for (unsigned i = 0; i < kernel.parameterCount; ++i) {
    const Parameter &parameter = kernel.parameters[i];
    if (parameter.kind == ParameterKind::texture || parameter.kind == ParameterKind::unsupported)
      return fail(
          std::string("parameter '") + parameter.name + "'" +
              (*parameter.attribute ? " with [[" + std::string(parameter.attribute) + "]]" : "") +
              " is of a kind that the emulator lacks",
          "buffers, threadgroup memory, and positions and sizes in the grid");
    if (parameter.kind == ParameterKind::buffer && parameter.index >= static_cast<int>(maxBuffers))
      return fail(std::string("parameter '") + parameter.name + "' is buffer " +
                      std::to_string(parameter.index),
                  "the chip has buffers 0 to " + std::to_string(maxBuffers - 1));
    if (parameter.kind == ParameterKind::buffer && parameter.index >= 0)
      names.push_back(std::string(parameter.name) + " (" + std::to_string(parameter.index) + ")");
  }
  std::string known =
      names.empty() ? "the kernel has no buffers" : "its buffers are " + listNames(names, "and");
  for (const BufferArgument &argument : arguments)
    if (Status bound = bindOne(kernel, argument, known); !bound)
      return bound;
  for (unsigned i = 0; i < kernel.parameterCount; ++i) {
    const Parameter &parameter = kernel.parameters[i];
    if (parameter.kind == ParameterKind::buffer && parameter.index >= 0 &&
        !given[static_cast<unsigned>(parameter.index)])
      return fail("buffer " + std::to_string(parameter.index) + " ('" + parameter.name +
                      "') is missing",
                  known);
  }
  unite();
  return Done{};
}

Status LaunchBuffers::bindOne(const KernelModule &kernel, const BufferArgument &argument,
                              const std::string &known) {
  const Parameter *parameter = nullptr;
  for (unsigned i = 0; i < kernel.parameterCount; ++i) {
    const Parameter &candidate = kernel.parameters[i];
    if (candidate.kind == ParameterKind::buffer && candidate.index >= 0 &&
        (argument.name.empty() ? candidate.index == static_cast<int>(argument.index)
                               : argument.name == candidate.name))
      parameter = &candidate;
  }
  std::string called =
      argument.name.empty() ? std::to_string(argument.index) : "'" + argument.name + "'";
  if (!parameter)
    return fail("it has no buffer " + called, known);
  auto index = static_cast<unsigned>(parameter->index);
  if (given[index])
    return fail("buffer " + called + " is given twice");
  if (argument.bytes > LaunchMemory::mostBufferBytes)
    return fail("buffer " + called + " has " + std::to_string(argument.bytes) + " bytes",
                "at most 4 GiB");
  size_t least = parameter->reference ? parameter->bytes : 0;
  if (argument.bytes < least)
    return fail("buffer '" + std::string(parameter->name) + "' has " +
                    std::to_string(argument.bytes) + " bytes",
                "the kernel reads one value of " + std::to_string(least));
  given[index] = &argument;
  parameterOf[index] = parameter;
  // Two parameters may share an index; the one that writes decides.
  for (unsigned i = 0; i < kernel.parameterCount; ++i)
    if (kernel.parameters[i].kind == ParameterKind::buffer &&
        kernel.parameters[i].index == static_cast<int>(index) && !kernel.parameters[i].readOnly)
      parameterOf[index] = &kernel.parameters[i];
  return Done{};
}

void LaunchBuffers::unite() {
  std::vector<unsigned> indices;
  for (unsigned index = 0; index < maxBuffers; ++index)
    if (given[index])
      indices.push_back(index);
  auto startOf = [this](unsigned index) { return static_cast<std::byte *>(given[index]->data); };
  std::sort(indices.begin(), indices.end(), [&](unsigned a, unsigned b) {
    return std::tuple(startOf(a), a) < std::tuple(startOf(b), b);
  });
  for (unsigned index : indices) {
    const BufferArgument &argument = *given[index];
    std::byte *end = startOf(index) + argument.bytes;
    bool overlaps = !all.empty() && argument.bytes && all.back().bytes &&
                    startOf(index) < all.back().data + all.back().bytes;
    if (!overlaps)
      all.push_back({startOf(index), argument.bytes, index, nullptr, {}, true, true});
    Allocation &allocation = all.back();
    allocation.bytes = std::max<size_t>(allocation.bytes, end - allocation.data);
    allocation.name += (overlaps ? "/" : "") + std::string(parameterOf[index]->name);
    allocation.readOnly &= parameterOf[index]->readOnly;
    allocation.uninitialised &= argument.uninitialised;
  }
}

//===--- Memory ---===//

Status LaunchBuffers::place(LaunchMemory *launchMemory, bool atEnd) {
  memory = launchMemory;
  for (Allocation &allocation : all) {
    allocation.start = allocation.data;
    if (memory) {
      allocation.start =
          static_cast<std::byte *>(memory->open(allocation.window, allocation.bytes, atEnd));
      if (!allocation.start)
        return fail("no memory for buffer '" + allocation.name + "' of " +
                    std::to_string(allocation.bytes) + " bytes");
    }
  }
  for (unsigned index = 0; index < maxBuffers; ++index) {
    if (!given[index])
      continue;
    auto *data = static_cast<std::byte *>(given[index]->data);
    auto holds = [&](const Allocation &allocation) {
      return allocation.window == index || (given[index]->bytes && data >= allocation.data &&
                                            data < allocation.data + allocation.bytes);
    };
    const Allocation &mine = *std::find_if(all.begin(), all.end(), holds);
    pointers[index] = mine.start + (data - mine.data) + given[index]->offset;
  }
  fill();
  return Done{};
}

void LaunchBuffers::fill() {
  for (const Allocation &allocation : all)
    if (memory && allocation.bytes)
      std::memcpy(allocation.start, allocation.data, allocation.bytes);
}

void LaunchBuffers::copyBack() const {
  for (const Allocation &allocation : all)
    if (memory && allocation.bytes &&
        std::memcmp(allocation.data, allocation.start, allocation.bytes) != 0)
      std::memcpy(allocation.data, allocation.start, allocation.bytes);
}

void LaunchBuffers::close() {
  for (const Allocation &allocation : all)
    if (memory && allocation.start)
      memory->close(allocation.window);
}

std::vector<std::string> LaunchBuffers::outputs() const {
  std::vector<std::string> contents;
  for (const Allocation &allocation : all)
    if (allocation.bytes)
      contents.emplace_back(reinterpret_cast<const char *>(allocation.start), allocation.bytes);
  return contents;
}

} // namespace metile::emulator
