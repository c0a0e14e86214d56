// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter/Memory.h"

#include "Support/ProgramId.h"

#include <algorithm>
#include <cstring>

namespace metile::interpreter {

Memory::Memory(std::span<const ArgumentInfo> arguments, const InterpretedLaunch &launch,
               Findings &findings)
    : arguments(arguments), launch(launch), findings(findings) {
  uint32_t slot = 0;
  for (const ArgumentInfo &argument : arguments) {
    slots.push_back(slot);
    slot += argument.slots();
    if (argument.role != ArgumentRole::scalar)
      granule = std::min(granule, static_cast<unsigned>(byteSize(argument.dtype)));
  }
}

std::string Memory::describe(const Access &access) const {
  if (access.argument < 0)
    return "an address that comes from no argument";
  auto number = static_cast<size_t>(access.argument);
  auto distance = static_cast<int64_t>(access.address - launch.slots[slots[number]]);
  return "element " + std::to_string(distance / static_cast<int64_t>(access.bytes)) + " of '" +
         arguments[number].name + "'";
}

bool Memory::isInside(const Access &access) {
  if (access.argument >= 0) {
    const Reach &reach = launch.reach[static_cast<size_t>(access.argument)];
    if (!reach.isKnown || (access.address >= reach.low && access.address <= reach.high &&
                           reach.high - access.address >= access.bytes))
      return true;
  }
  findings.add(Findings::Kind::outside, access.op, access.argument, [&]() -> Diagnostic {
    Diagnostic diagnostic;
    diagnostic.found = programName(access.program->id) + " reaches " + describe(access);
    if (access.argument >= 0) {
      auto number = static_cast<size_t>(access.argument);
      const Reach &reach = launch.reach[number];
      auto size = static_cast<int64_t>(access.bytes);
      auto base = static_cast<int64_t>(launch.slots[slots[number]]);
      int64_t first = (static_cast<int64_t>(reach.low) - base) / size;
      int64_t end = (static_cast<int64_t>(reach.high) - base) / size;
      diagnostic.allowed = first == end ? "its memory holds no element"
                                        : "its memory holds elements " + std::to_string(first) +
                                              " to " + std::to_string(end - 1);
    }
    diagnostic.change = "mask the access, or correct the offset";
    return diagnostic;
  });
  return false;
}

void Memory::checkWritten(const Access &access) {
  for (size_t number = 0; number < arguments.size(); ++number) {
    const Reach &reach = launch.reach[number];
    bool holds = reach.isKnown ? access.address >= reach.low && access.address < reach.high
                               : static_cast<int32_t>(number) == access.argument;
    if (arguments[number].role != ArgumentRole::scalar && reach.isWritten && holds)
      return;
  }
  for (uint64_t piece = 0; piece < access.bytes; piece += granule) {
    const Users &touched = users[(access.address + piece) / granule];
    if (touched.writer != Users::none || touched.updater != Users::none)
      continue;
    findings.add(Findings::Kind::unwritten, access.op, access.argument, [&]() -> Diagnostic {
      return {{},
              programName(access.program->id) + " reads " + describe(access) +
                  ", which nobody has written",
              "the memory of an Out argument holds anything before it is written",
              "write it first, or declare the argument as InOut"};
    });
    return;
  }
}

void Memory::checkRaces(const Access &access, Way way) {
  int64_t self = access.program->number;
  auto isOther = [&](int64_t user) { return user != Users::none && user != self; };
  auto note = [&](int64_t &user) {
    user = user == Users::none || user == self ? self : Users::several;
  };
  for (uint64_t piece = 0; piece < access.bytes; piece += granule) {
    Users &touched = users[(access.address + piece) / granule];
    // Reads go together, and so do atomic updates; all else goes with nothing.
    const char *conflict = nullptr;
    if (isOther(touched.writer))
      conflict = "writes";
    else if (way != Way::update && isOther(touched.updater))
      conflict = "updates atomically";
    else if (way != Way::read && isOther(touched.reader))
      conflict = "reads";
    if (conflict)
      findings.add(Findings::Kind::race, access.op, access.argument, [&]() -> Diagnostic {
        const char *verb = way == Way::read    ? " reads "
                           : way == Way::write ? " writes "
                                               : " updates ";
        return {{},
                programName(access.program->id) + verb + describe(access) +
                    ", which another program " + conflict,
                "the programs of a launch run in any order, and at the same time",
                "let one program alone touch it, or use atomic operations"};
      });
    note(way == Way::read ? touched.reader : way == Way::write ? touched.writer : touched.updater);
  }
}

/// The bytes at `address` in the low bits.
static uint64_t load(const Access &access) {
  uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void *>(access.address), access.bytes);
  return bits;
}

static void store(const Access &access, uint64_t bits) {
  std::memcpy(reinterpret_cast<void *>(access.address), &bits, access.bytes);
}

uint64_t Memory::read(const Access &access) {
  if (!isInside(access))
    return 0;
  checkWritten(access);
  checkRaces(access, Way::read);
  return load(access);
}

void Memory::write(const Access &access, uint64_t bits) {
  if (!isInside(access))
    return;
  checkRaces(access, Way::write);
  store(access, bits);
}

uint64_t Memory::update(const Access &access, const std::function<uint64_t(uint64_t)> &change) {
  if (!isInside(access))
    return 0;
  checkWritten(access);
  checkRaces(access, Way::update);
  uint64_t before = load(access);
  store(access, change(before));
  return before;
}

} // namespace metile::interpreter
