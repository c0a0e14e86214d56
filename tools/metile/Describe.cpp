// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Describe.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace metile::tools {

std::string formatBytes(uint64_t bytes) {
  static constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return unit ? fmt::format("{:.1f} {}", value, units[unit]) : fmt::format("{} B", bytes);
}

static std::string constantsOf(const Artifact &artifact) {
  std::string text;
  for (const auto &[name, value] : artifact.constants)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string describeArtifact(const Artifact &artifact) {
  std::string constants = constantsOf(artifact);
  return fmt::format("{} for {}{}{}", artifact.kernel, artifact.target,
                     constants.empty() ? "" : ": ", constants);
}

/// A plain value as people write it: text without quotes, "-" for null.
static std::string plain(const Json &value) {
  if (value.isNull())
    return "-";
  if (value.isString())
    return value.asString();
  if (!value.isArray())
    return value.dump();
  std::string text;
  for (const Json &element : value.elements())
    text += (text.empty() ? "" : " x ") + plain(element);
  return text.empty() ? "-" : text;
}

static std::string joined(const Json &list, std::string_view separator) {
  std::string text;
  for (const Json &element : list.elements()) {
    if (!text.empty())
      text += separator;
    text += plain(element);
  }
  return text;
}

/// "1.23 us", or nothing.
static std::string costText(const Json &cost, const Json &unit) {
  if (!cost.isNumber())
    return {};
  return fmt::format("{:.4g}{}{}", cost.asNumber(), unit.isNull() ? "" : " ", unit.asString());
}

/// The parts after `head`, in lines of at most 100 characters; those after the first are indented
/// like it.
static std::string wrapped(const std::string &head, const std::vector<std::string> &parts) {
  constexpr size_t width = 100;
  std::string text, line = head;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string part = parts[i] + (i + 1 < parts.size() ? "," : "");
    if (line.size() + part.size() + 1 > width && i) {
      text += line + '\n';
      line = std::string(head.find_first_not_of(' '), ' ') + "  " + part;
    } else {
      line += (i ? " " : "") + part;
    }
  }
  return text + line + '\n';
}

static std::string decisionText(const Json &decision) {
  std::string cost = costText(decision["cost"], decision["unit"]);
  std::string text = fmt::format("  {}", decision["question"].asString());
  if (!decision["subject"].asString().empty())
    text += fmt::format(" [{}]", decision["subject"].asString());
  if (!decision["location"].isNull())
    text += fmt::format(" ({})", decision["location"].asString());
  text +=
      fmt::format("\n    {}{}{}", decision["chosen"].asString(), cost.empty() ? "" : ", " + cost,
                  decision["requested"].asBool() ? ", as the schedule asks" : "");
  if (!decision["reason"].asString().empty())
    text += fmt::format(": {}", decision["reason"].asString());
  text += '\n';
  std::vector<std::string> losers;
  for (const Json &alternative : decision["alternatives"].elements()) {
    std::string lost = costText(alternative["cost"], decision["unit"]);
    if (!alternative["violated"].isNull())
      lost += (lost.empty() ? "" : ", ") + alternative["violated"].asString();
    losers.push_back(alternative["choice"].asString() +
                     (lost.empty() ? "" : fmt::format(" ({})", lost)));
  }
  if (!losers.empty())
    text += wrapped("    instead of ", losers);
  if (!decision["would_change"].isNull())
    text += fmt::format("    would change: {}\n", decision["would_change"].asString());
  return text;
}

std::string explainReport(const Artifact &artifact, const Json &report) {
  std::string text = fmt::format("kernel {} for {}\n", artifact.kernel, artifact.target);
  if (std::string constants = constantsOf(artifact); !constants.empty())
    text += fmt::format("constants: {}\n", constants);
  text += "\nplan\n";
  for (const Json::Member &member : report["plan"].members()) {
    if (member.key == "reasons" || member.value.isNull())
      continue;
    text += fmt::format("  {:<20} {}\n", member.key, plain(member.value));
  }
  for (const Json &reason : report["plan"]["reasons"].elements())
    text += fmt::format("  because {}\n", plain(reason));

  text += "\nlaunch\n";
  for (const Json &step : report["steps"].elements())
    text += fmt::format("  {} over a grid of {}\n", step["entry"].asString(),
                        joined(step["grid"], " x "));
  text += "\nrelies on\n";
  for (const Json &fact : report["facts"].elements())
    text += fmt::format("  {}\n", plain(fact));
  if (!report["facts"].size())
    text += "  nothing: any sizes and strides will do\n";

  if (report["decisions"].size())
    text += "\ndecisions\n";
  for (const Json &decision : report["decisions"].elements())
    text += decisionText(decision);

  text += "\nloops\n";
  for (const Json &loop : report["loops"].elements())
    text +=
        fmt::format("  {}: step {}, {} elements a lane\n", loop["induction_variable"].asString(),
                    plain(loop["iteration_step"]), plain(loop["elements_per_lane"]));
  if (!report["loops"].size())
    text += "  none\n";
  text += "\nallocations\n";
  for (const Json &allocation : report["allocations"].elements())
    text += fmt::format("  {}: {} {} = {} in {}\n", allocation["name"].asString(),
                        plain(allocation["elements"]), allocation["element_type"].asString(),
                        formatBytes(static_cast<uint64_t>(allocation["bytes"].asInteger())),
                        allocation["address_space"].asString());
  if (!report["allocations"].size())
    text += "  none\n";
  if (report["passes"].size())
    text += fmt::format("\noptimisations: {}\n", joined(report["passes"], ", "));
  if (report["lowering"]["passes"].size())
    text += fmt::format("lowering: {}\n", joined(report["lowering"]["passes"], ", "));
  for (const Json &note : report["notes"].elements())
    text += fmt::format("note: {}\n", plain(note));
  return text;
}

} // namespace metile::tools
