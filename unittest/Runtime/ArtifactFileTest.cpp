// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TestKernels.h"

#include "Runtime/Checksum.h"

#include <gtest/gtest.h>

namespace metile {
namespace {

/// Something in every field.
Artifact fullArtifact() {
  Artifact artifact = test::scaleArtifact(17);
  artifact.features = "avx2,fma";
  artifact.facts = {{Fact::Kind::aligned, 0, 0, 64}, {Fact::Kind::scalarEquals, 2, 0, -3}};
  artifact.workspaces = {
      {"panel", Workspace::Scope::launch, SizeExpr::size(0, 0), 128},
      {"scratch", Workspace::Scope::worker, SizeExpr::constant(4096), 64},
  };
  artifact.debugSites = {{DebugSite::Kind::probe, "row", {"k.cpp", 3, 7, {}}, {{f32, {8, 4}}}}};
  artifact.code = std::string("\0\1\2ELF", 6);
  artifact.report = "{\"schema_version\": 1}";
  return artifact;
}

std::string refusal(std::string_view bytes) {
  Result<Artifact> result = parseArtifact(bytes, "k.mta");
  return result ? "accepted" : result.errors().str();
}

void setNumber(std::string &bytes, size_t at, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * i));
}

/// Makes length and checksum right again, so that only the contents are wrong.
std::string sealed(std::string bytes, uint32_t version = artifactVersion) {
  setNumber(bytes, 8, version, 4);
  setNumber(bytes, 12, bytes.size(), 8);
  setNumber(bytes, 20, checksum(std::string_view(bytes).substr(28), version), 8);
  return bytes;
}

} // namespace

TEST(ArtifactFile, RoundTrips) {
  Artifact artifact = fullArtifact();
  std::string bytes = serialize(artifact);
  Result<Artifact> read = parseArtifact(bytes, "k.mta");
  ASSERT_TRUE(read) << read.errors().str();
  EXPECT_EQ(serialize(*read), bytes);
  EXPECT_EQ(read->kernel, "scale");
  EXPECT_EQ(read->target, "cpu");
  EXPECT_EQ(read->features, "avx2,fma");
  EXPECT_EQ(read->producer, "test");
  EXPECT_EQ(read->constants, artifact.constants);
  EXPECT_EQ(read->facts, artifact.facts);
  ASSERT_EQ(read->arguments.size(), 3u);
  EXPECT_EQ(read->arguments[1].name, "c");
  EXPECT_EQ(read->arguments[1].role, ArgumentRole::out);
  EXPECT_EQ(read->arguments[2].dtype, i32);
  ASSERT_EQ(read->workspaces.size(), 2u);
  EXPECT_EQ(read->workspaces[0].bytes, SizeExpr::size(0, 0));
  EXPECT_EQ(read->workspaces[0].alignment, 128u);
  ASSERT_EQ(read->steps.size(), 1u);
  EXPECT_EQ(read->steps[0].grid, artifact.steps[0].grid);
  EXPECT_EQ(read->steps[0].programCost, SizeExpr::constant(17));
  ASSERT_EQ(read->debugSites.size(), 1u);
  EXPECT_EQ(read->debugSites[0].kind, DebugSite::Kind::probe);
  EXPECT_EQ(read->debugSites[0].text, "row");
  EXPECT_EQ(read->debugSites[0].location.str(), "k.cpp:3:7");
  EXPECT_EQ(read->debugSites[0].values, artifact.debugSites[0].values);
  EXPECT_EQ(read->code, artifact.code);
  EXPECT_EQ(read->report, artifact.report);
}

TEST(ArtifactFile, EveryFlippedBitIsRefusedByName) {
  std::string bytes = serialize(fullArtifact());
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      std::string text = refusal(damaged);
      ASSERT_EQ(text.substr(0, 14), "error: k.mta: ") << "byte " << at << ", bit " << bit;
    }
}

TEST(ArtifactFile, EveryTruncationIsRefusedByName) {
  std::string bytes = serialize(fullArtifact());
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  for (size_t length = 1; length < bytes.size(); ++length)
    ASSERT_NE(refusal(bytes.substr(0, length)).find("truncated"), std::string::npos) << length;
  EXPECT_NE(refusal(bytes + "x").find("damaged"), std::string::npos);
}

TEST(ArtifactFile, ForeignFilesAreRefused) {
  for (std::string_view foreign : {"hello",
                                   "\x7f"
                                   "ELF\2\1\1",
                                   "{}", "\x89PNG\r\n\x1a\n"})
    EXPECT_NE(refusal(foreign).find("no meTile artifact"), std::string::npos);
}

TEST(ArtifactFile, OtherVersionsAreRefusedWithTheirProducer) {
  std::string bytes = serialize(fullArtifact());
  std::string newer = refusal(sealed(bytes, artifactVersion + 1));
  EXPECT_NE(newer.find("format version " + std::to_string(artifactVersion + 1) +
                       ", written by test for cpu"),
            std::string::npos)
      << newer;
  EXPECT_NE(newer.find("use a newer meTile"), std::string::npos) << newer;
  std::string older = refusal(sealed(bytes, 0));
  EXPECT_NE(older.find("format version 0"), std::string::npos) << older;
}

TEST(ArtifactFile, UnknownEnumerationValuesAreRefused) {
  std::string bytes = serialize(fullArtifact());
  EXPECT_EQ(refusal(sealed(bytes)), "accepted");
  // The role follows the name of the argument.
  size_t role = bytes.find("factor") + 6;
  for (auto [offset, what] : {std::pair{0, "argument role (99)"}, {1, "element type (99)"}}) {
    std::string wrong = bytes;
    wrong[role + offset] = 99;
    std::string text = refusal(sealed(wrong));
    EXPECT_NE(text.find(what), std::string::npos) << text;
  }
}

/// With a right checksum, a wrong byte may well give another valid artifact, but never a crash, an
/// artifact that contradicts itself, or a message without the name.
TEST(ArtifactFile, SealedGarbageIsHandled) {
  std::string bytes = serialize(fullArtifact());
  for (size_t at = 28; at < bytes.size(); ++at)
    for (int value : {0, 1, 127, 255}) {
      std::string wrong = bytes;
      wrong[at] = static_cast<char>(value);
      Result<Artifact> result = parseArtifact(sealed(wrong), "k.mta");
      if (result)
        EXPECT_EQ(serialize(*result), sealed(wrong));
      else
        EXPECT_EQ(result.errors().str().substr(0, 14), "error: k.mta: ");
    }
  for (size_t length = 28; length < bytes.size(); ++length)
    EXPECT_NE(refusal(sealed(bytes.substr(0, length))).find("malformed"), std::string::npos)
        << length;
}

} // namespace metile
