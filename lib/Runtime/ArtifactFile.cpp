// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The artifact file. All numbers are little-endian.
//
//   bytes 0-7    magic: 0x89 "mTile" CR LF, which a text-mode copy would damage
//   bytes 8-11   format version
//   bytes 12-19  length of the whole file
//   bytes 20-27  checksum of everything after it, and of the version
//   then         producer, target, features (strings: 32-bit length, bytes), contents
//
// Version policy: magic, version, length, checksum, producer and target stand at these places in
// every version to come, so that an old reader can name what it refuses. Contents are read in the
// reader's own version only; an artifact is cheap to make again, so there are no converters. Any
// change of the contents or of an enumeration's meaning raises artifactVersion.
#include "Runtime/ArtifactChecks.h"
#include "Runtime/Checksum.h"
#include "metile/artifact.h"

#include <iterator>
#include <type_traits>

namespace metile {
namespace {

constexpr std::string_view magic = "\x89mTile\r\n";
constexpr size_t lengthAt = 12, bodyAt = 28;

class Writer {
public:
  void number(uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      out += static_cast<char>(value >> (8 * i));
  }
  template <class T> void put(T value) {
    if constexpr (std::is_enum_v<T>)
      number(static_cast<uint64_t>(value), 1);
    else
      number(static_cast<uint64_t>(value), sizeof(T));
  }
  void put(const std::string &text) {
    number(text.size(), 8);
    out += text;
  }
  void shortText(const std::string &text) {
    number(text.size(), 4);
    out += text;
  }
  void put(const SizeExpr &expression) {
    number(expression.terms.size(), 4);
    for (const SizeExpr::Term &term : expression.terms) {
      put(term.kind);
      put(term.value);
      put(term.argument);
      put(term.axis);
    }
  }

  std::string out;
};

/// Reads what Writer wrote. After a failure everything reads as zero; `problem` tells the first
/// one.
class Reader {
public:
  Reader(std::string_view bytes, size_t at) : bytes(bytes), at(at) {}

  uint64_t number(unsigned count) {
    if (bytes.size() - at < count)
      return fail("ends too early");
    uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i)
      value |= uint64_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    at += count;
    return value;
  }
  template <class T> void get(T &value) { value = static_cast<T>(number(sizeof(T))); }
  template <class T> void get(T &value, T last, const char *what) {
    uint64_t read = number(1);
    if (read > static_cast<uint64_t>(last))
      fail("holds an unknown " + std::string(what) + " (" + std::to_string(read) + ")");
    else
      value = static_cast<T>(read);
  }
  void text(std::string &value, unsigned lengthBytes) {
    uint64_t length = number(lengthBytes);
    if (bytes.size() - at < length) {
      fail("ends too early");
      return;
    }
    value.assign(bytes.substr(at, length));
    at += length;
  }
  void get(std::string &value) { text(value, 8); }
  void shortText(std::string &value) { text(value, 4); }
  /// Grows the list as it is read, so that a wrong count cannot ask for absurd memory.
  template <class T, class Read> void list(std::vector<T> &values, Read read) {
    uint64_t count = number(4);
    for (uint64_t i = 0; i < count && problem.empty(); ++i)
      read(values.emplace_back());
  }
  void get(SizeExpr &expression) {
    list(expression.terms, [&](SizeExpr::Term &term) {
      get(term.kind, SizeExpr::Kind::max, "operation");
      get(term.value);
      get(term.argument);
      get(term.axis);
    });
  }
  bool atEnd() const { return at == bytes.size(); }
  uint64_t fail(std::string what) {
    if (problem.empty())
      problem = std::move(what);
    at = bytes.size();
    return 0;
  }

  std::string problem;

private:
  std::string_view bytes;
  size_t at;
};

void writeContents(const Artifact &artifact, Writer &writer) {
  writer.put(artifact.kernel);
  writer.put(static_cast<uint32_t>(artifact.constants.size()));
  for (const auto &[name, value] : artifact.constants) {
    writer.put(name);
    writer.put(value);
  }
  writer.put(static_cast<uint32_t>(artifact.arguments.size()));
  for (const ArgumentInfo &argument : artifact.arguments) {
    writer.put(argument.name);
    writer.put(argument.role);
    writer.put(argument.dtype);
    writer.put(argument.rank);
  }
  writer.put(static_cast<uint32_t>(artifact.facts.size()));
  for (const Fact &fact : artifact.facts) {
    writer.put(fact.kind);
    writer.put(fact.argument);
    writer.put(fact.axis);
    writer.put(fact.value);
  }
  writer.put(static_cast<uint32_t>(artifact.workspaces.size()));
  for (const Workspace &workspace : artifact.workspaces) {
    writer.put(workspace.name);
    writer.put(workspace.scope);
    writer.put(workspace.bytes);
    writer.put(workspace.alignment);
  }
  writer.put(static_cast<uint32_t>(artifact.steps.size()));
  for (const Step &step : artifact.steps) {
    writer.put(step.entry);
    for (const SizeExpr &extent : step.grid)
      writer.put(extent);
    writer.put(step.programCost);
  }
  writer.put(static_cast<uint32_t>(artifact.debugSites.size()));
  for (const DebugSite &site : artifact.debugSites) {
    writer.put(site.kind);
    writer.put(site.text);
    writer.put(site.location.file);
    writer.put(site.location.line);
    writer.put(site.location.column);
    writer.put(static_cast<uint32_t>(site.values.size()));
    for (const DebugSite::Value &value : site.values) {
      writer.put(value.dtype);
      writer.put(static_cast<uint32_t>(value.shape.size()));
      for (int64_t extent : value.shape)
        writer.put(extent);
    }
  }
  writer.put(artifact.codeKind);
  writer.put(artifact.code);
  writer.put(artifact.report);
}

void readContents(Reader &reader, Artifact &artifact) {
  reader.get(artifact.kernel);
  reader.list(artifact.constants, [&](std::pair<std::string, int64_t> &constant) {
    reader.get(constant.first);
    reader.get(constant.second);
  });
  reader.list(artifact.arguments, [&](ArgumentInfo &argument) {
    reader.get(argument.name);
    reader.get(argument.role, ArgumentRole::scalar, "argument role");
    reader.get(argument.dtype, allDTypes[std::size(allDTypes) - 1], "element type");
    reader.get(argument.rank);
  });
  reader.list(artifact.facts, [&](Fact &fact) {
    reader.get(fact.kind, Fact::Kind::scalarDivisible, "kind of fact");
    reader.get(fact.argument);
    reader.get(fact.axis);
    reader.get(fact.value);
  });
  reader.list(artifact.workspaces, [&](Workspace &workspace) {
    reader.get(workspace.name);
    reader.get(workspace.scope, Workspace::Scope::launch, "workspace scope");
    reader.get(workspace.bytes);
    reader.get(workspace.alignment);
  });
  reader.list(artifact.steps, [&](Step &step) {
    reader.get(step.entry);
    for (SizeExpr &extent : step.grid)
      reader.get(extent);
    reader.get(step.programCost);
  });
  reader.list(artifact.debugSites, [&](DebugSite &site) {
    reader.get(site.kind, DebugSite::Kind::probe, "kind of debug site");
    reader.get(site.text);
    reader.get(site.location.file);
    reader.get(site.location.line);
    reader.get(site.location.column);
    reader.list(site.values, [&](DebugSite::Value &value) {
      reader.get(value.dtype, allDTypes[std::size(allDTypes) - 1], "element type");
      reader.list(value.shape, [&](int64_t &extent) { reader.get(extent); });
    });
  });
  reader.get(artifact.codeKind, CodeKind::tile, "kind of code");
  reader.get(artifact.code);
  reader.get(artifact.report);
}

/// Text from a file that is not to be trusted, for a message.
std::string shortened(const std::string &text) { return text.substr(0, 80); }

Errors refuse(std::string_view name, std::string found, std::string change) {
  return error(std::string(name) + ": " + std::move(found), {}, std::move(change));
}

} // namespace

std::string serialize(const Artifact &artifact) {
  Writer writer;
  writer.out = magic;
  writer.put(artifactVersion);
  writer.number(0, 8); // length and checksum, below
  writer.number(0, 8);
  writer.shortText(artifact.producer);
  writer.shortText(artifact.target);
  writer.shortText(artifact.features);
  writeContents(artifact, writer);

  Writer numbers;
  numbers.put(static_cast<uint64_t>(writer.out.size()));
  numbers.put(checksum(std::string_view(writer.out).substr(bodyAt), artifactVersion));
  writer.out.replace(lengthAt, numbers.out.size(), numbers.out);
  return std::move(writer.out);
}

Result<Artifact> parseArtifact(std::string_view bytes, std::string_view name) {
  const std::string again = "compile the kernel again";
  if (bytes.empty())
    return refuse(name, "the file is empty", again);
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()))
    return refuse(name, "this is no meTile artifact", "name a file written by 'metile compile'");
  if (bytes.size() < bodyAt)
    return refuse(name, "the artifact is truncated to " + std::to_string(bytes.size()) + " bytes",
                  again);

  Reader header(bytes, magic.size());
  uint32_t version = 0;
  uint64_t length = 0, sum = 0;
  header.get(version);
  header.get(length);
  header.get(sum);
  bool intact = bytes.size() == length && checksum(bytes.substr(bodyAt), version) == sum;
  Artifact artifact;
  header.shortText(artifact.producer);
  header.shortText(artifact.target);
  if (version != artifactVersion && intact)
    return refuse(name,
                  "the artifact has format version " + std::to_string(version) + ", written by " +
                      shortened(artifact.producer) + " for " + shortened(artifact.target) +
                      "; this program reads version " + std::to_string(artifactVersion),
                  version > artifactVersion ? "use a newer meTile, or compile the kernel again"
                                            : again);
  if (bytes.size() < length)
    return refuse(name,
                  "the artifact is truncated: " + std::to_string(bytes.size()) + " of " +
                      std::to_string(length) + " bytes are there",
                  again);
  if (!intact)
    return refuse(name, "the artifact is damaged: its checksum or its length is wrong", again);

  header.shortText(artifact.features);
  readContents(header, artifact);
  if (header.problem.empty() && !header.atEnd())
    header.fail("holds more than it says");
  if (!header.problem.empty())
    return refuse(name, "the artifact is malformed: it " + header.problem, again);
  if (Status checked = checkArtifact(artifact, name); !checked)
    return checked.takeErrors();
  return artifact;
}

} // namespace metile
