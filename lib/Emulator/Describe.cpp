// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Describe.h"

#include <algorithm>
#include <tuple>

namespace metile::emulator {

namespace {

struct KindText {
  FindingKind kind;
  std::string_view name, category;
};

constexpr KindText kinds[] = {
    {FindingKind::race, "race", "race"},
    {FindingKind::threadgroupRace, "race-between-threadgroups", "race"},
    {FindingKind::outOfBounds, "out-of-bounds", "bounds"},
    {FindingKind::uninitialised, "uninitialised", "init"},
    {FindingKind::division, "division-by-zero", "init"},
    {FindingKind::divergence, "divergent-barrier", "sync"},
    {FindingKind::misaligned, "misaligned", "bounds"},
    {FindingKind::limit, "threadgroup-memory-limit", "limits"},
    {FindingKind::crash, "crash", "bounds"},
    {FindingKind::endless, "endless", "sync"},
};

const KindText &textOf(FindingKind kind) {
  for (const KindText &text : kinds)
    if (text.kind == kind)
      return text;
  return kinds[0];
}

} // namespace

std::string_view name(FindingKind kind) { return textOf(kind).name; }
std::string_view category(FindingKind kind) { return textOf(kind).category; }

namespace {

std::string groupText(const Extent &group) {
  return "threadgroup (" + std::to_string(group.x) + "," + std::to_string(group.y) + "," +
         std::to_string(group.z) + ")";
}

std::string count(uint64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

class Describer {
public:
  Describer(const Module &module, Extent threads) : module(module), threads(threads) {}

  Finding describe(const FindingList::Entry &entry) {
    const RawFinding &raw = entry.finding;
    Finding finding;
    finding.kind = raw.kind;
    finding.kernel = module.name();
    finding.variable = raw.variable;
    finding.count = entry.count;
    finding.first.location = module.locate(raw.first.site);
    // Inside a function of the emulator's: the place that called it.
    bool wasInterrupted = raw.kind == FindingKind::crash || raw.kind == FindingKind::endless;
    if (wasInterrupted && !finding.first.location.known())
      finding.first.location = module.locate(raw.related);
    switch (raw.kind) {
    case FindingKind::race:
      race(raw, finding);
      break;
    case FindingKind::threadgroupRace:
      finding.message = "threadgroups race on " + memory(raw) + place(raw);
      finding.first.text = access(raw.first, true);
      addSide(finding, raw.second, true);
      finding.hint = "nothing orders two threadgroups of a launch: use atomics, give each its own "
                     "elements, or split the kernel in two";
      break;
    case FindingKind::outOfBounds:
      outOfBounds(raw, finding);
      break;
    case FindingKind::uninitialised:
      finding.message = "read of " + memory(raw) + place(raw) + ", which nothing has written";
      finding.first.text = access(raw.first, true);
      finding.hint = raw.onDevice
                         ? "write it before it is read, or pass a buffer that holds something"
                         : "threadgroup memory holds anything at the start of a threadgroup";
      break;
    case FindingKind::division:
      finding.message = "the outputs depend on an integer division by zero, or of the smallest "
                        "number by -1, which gives any value";
      finding.first.text = actor(raw.first) + " in " + groupText(raw.first.threadgroup);
      finding.hint = "test the divisor, or keep the result from where it counts";
      break;
    case FindingKind::divergence:
      divergence(raw, finding);
      break;
    case FindingKind::misaligned:
      finding.message = "misaligned access to " + memory(raw) + place(raw) + ": " +
                        count(raw.bytes, "byte") + " that must lie at a multiple of " + raw.detail;
      finding.first.text = access(raw.first, true);
      finding.hint = "load the elements one by one, or use a packed_ type";
      break;
    case FindingKind::limit:
      finding.message = "the kernel uses " + count(raw.bytes, "byte") +
                        " of threadgroup memory with '" + raw.variable + "'; the chip has " +
                        std::to_string(raw.size);
      finding.first.text = "declared here";
      finding.hint = "use smaller tiles, or keep one of the arrays in registers";
      break;
    case FindingKind::crash:
      finding.message = raw.detail;
      finding.first.text = actor(raw.first) + " in " + groupText(raw.first.threadgroup);
      break;
    case FindingKind::endless:
      finding.message = "the kernel did not end within its time and steps";
      finding.first.text =
          actor(raw.first) + " in " + groupText(raw.first.threadgroup) + " was here";
      finding.hint = "if it only needs longer, raise the limit";
      break;
    }
    return finding;
  }

private:
  std::string memory(const RawFinding &raw) const {
    return std::string(raw.onDevice ? "device" : "threadgroup") + " memory '" + raw.variable + "'";
  }
  std::string place(const RawFinding &raw) const { return ", byte " + std::to_string(raw.offset); }

  std::string actor(const Actor &actor) const {
    if (actor.thread == Actor::everyone)
      return "the threadgroup";
    unsigned simdgroup = actor.thread / simdWidth;
    if (actor.collective)
      return "simdgroup " + std::to_string(simdgroup);
    std::string text = "thread ";
    if (threads.y == 1 && threads.z == 1)
      text += std::to_string(actor.thread);
    else
      text += "(" + std::to_string(actor.thread % threads.x) + "," +
              std::to_string(actor.thread / threads.x % threads.y) + "," +
              std::to_string(actor.thread / threads.x / threads.y) + ")";
    return text + " (simdgroup " + std::to_string(simdgroup) + ", lane " +
           std::to_string(actor.thread % simdWidth) + ")";
  }

  std::string access(const Actor &side, bool withGroup) const {
    std::string text = std::string(side.atomic ? "atomic " : "") + (side.write ? "write" : "read") +
                       " by " + actor(side);
    return withGroup ? text + " in " + groupText(side.threadgroup) : text;
  }

  void addSide(Finding &finding, const Actor &side, bool withGroup) const {
    finding.others.push_back({module.locate(side.site), access(side, withGroup)});
  }

  void race(const RawFinding &raw, Finding &finding) const {
    finding.message = "race on " + memory(raw) + place(raw);
    finding.first.text = access(raw.first, true);
    addSide(finding, raw.second, false);
    std::string flag = raw.onDevice ? "mem_device" : "mem_threadgroup";
    if (raw.related) {
      finding.others.push_back(
          {module.locate(raw.related), "this barrier does not order " +
                                           std::string(raw.onDevice ? "device" : "threadgroup") +
                                           " memory"});
      finding.hint = "if it stands between the two, give it mem_flags::" + flag;
    } else if (!raw.acrossSimdgroups) {
      finding.hint =
          "nothing orders the lanes of a simdgroup: put simdgroup_barrier(mem_flags::" + flag +
          ") between the two";
    } else {
      finding.hint = "put threadgroup_barrier(mem_flags::" + flag + ") between the two";
    }
  }

  void outOfBounds(const RawFinding &raw, Finding &finding) const {
    finding.first.text = access(raw.first, true);
    if (!raw.detail.empty()) {
      finding.message = "out of bounds: " + raw.detail;
      finding.first.text = actor(raw.first) + " in " + groupText(raw.first.threadgroup);
    } else if (raw.variable.empty()) {
      finding.message =
          std::string("out of bounds of all ") + (raw.onDevice ? "buffers" : "threadgroup memory");
    } else {
      bool before = raw.offset < 0;
      uint64_t beyond = static_cast<uint64_t>(before ? -raw.offset : raw.offset);
      finding.message = "out of bounds of " + memory(raw) + ", which has " +
                        count(raw.size, "byte") + ": " +
                        count(std::max<uint64_t>(raw.bytes, 1), "byte") +
                        (before ? " from " + count(beyond, "byte") + " before its start"
                                : " at byte " + std::to_string(beyond));
    }
  }

  void divergence(const RawFinding &raw, Finding &finding) const {
    bool simd = raw.first.collective;
    finding.message =
        std::string(simd ? "simdgroup_barrier" : "threadgroup_barrier") + " reached by " +
        std::to_string(raw.bytes) + " of " + count(raw.size, "thread") +
        (simd ? " of simdgroup " + std::to_string(raw.first.thread / simdWidth) : "") + " in " +
        groupText(raw.first.threadgroup);
    if (raw.offset)
      finding.message += "; " + std::to_string(raw.offset) + (raw.offset == 1 ? " has" : " have") +
                         " returned from the kernel";
    Actor first = raw.first;
    first.collective = false;
    finding.first.text = actor(first) + " waits here";
    if (raw.hasSecond)
      finding.others.push_back(
          {module.locate(raw.second.site), actor(raw.second) + " waits here instead"});
    finding.hint = "every thread must reach the same barrier: move it out of the branch, or let "
                   "threads without work pass through it";
  }

  const Module &module;
  Extent threads;
};

} // namespace

std::vector<Finding> describeFindings(const FindingList &list, const Module &module,
                                      Extent threads) {
  std::vector<Finding> findings;
  Describer describer(module, threads);
  for (const FindingList::Entry &entry : list.sorted())
    findings.push_back(describer.describe(entry));
  std::sort(findings.begin(), findings.end(), [](const Finding &a, const Finding &b) {
    auto key = [](const Finding &finding) {
      const Location &at = finding.first.location;
      return std::tie(at.file, at.line, at.column, finding.kind, finding.variable, finding.message);
    };
    return key(a) < key(b);
  });
  // Two instructions of one expression, or one in several copies, are one finding to a reader.
  std::vector<Finding> merged;
  for (Finding &finding : findings) {
    auto same = [&](const Finding &other) {
      auto places = [](const Finding &of) {
        std::vector<std::string> all = {of.first.location.str()};
        for (const FindingSide &side : of.others)
          all.push_back(side.location.str());
        std::sort(all.begin(), all.end());
        return all;
      };
      return finding.first.location.known() && other.kind == finding.kind &&
             other.variable == finding.variable && places(other) == places(finding);
    };
    auto known = std::find_if(merged.begin(), merged.end(), same);
    if (known == merged.end()) {
      merged.push_back(std::move(finding));
    } else {
      known->count += finding.count;
      // The hint that orders more holds for both.
      if (finding.hint.find("threadgroup_barrier") != finding.hint.npos)
        known->hint = finding.hint;
    }
  }
  return merged;
}

std::string Finding::str() const {
  std::string text;
  auto line = [&](const Location &at, const std::string &kindOfLine, const std::string &words) {
    text += (at.known() ? at.str() + ": " : std::string()) + kindOfLine + ": " + words + "\n";
  };
  line(first.location, "error", message + " [" + std::string(emulator::name(kind)) + "]");
  line(first.location, "note", first.text);
  for (const FindingSide &side : others)
    line(side.location, "note", side.text);
  if (count > 1)
    text += "  seen " + std::to_string(count) + " times\n";
  if (!hint.empty())
    text += "  hint: " + hint + "\n";
  return text;
}

} // namespace metile::emulator
