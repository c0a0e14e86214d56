// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// metile layout: pictures of layouts, and what follows from them.

#include "CommandLine.h"

#include "Layout/ConflictFree.h"
#include "Layout/Conversion.h"
#include "Layout/Grid.h"
#include "Layout/Spelling.h"
#include "Support/Json.h"
#include "Target/Fragments.h"

#include "metile/dtype.h"

#include <fmt/format.h>

#include <algorithm>

namespace metile::tools {

namespace {

struct Options {
  std::string text, outer, next, to, dtype = "f16";
  std::vector<std::string> memories, others;
  bool invert = false, pseudoInvert = false, suggest = false;
  int64_t banks = 32, wordBytes = 4, phaseBytes = 128;
  GridLimits limits;
};

/// What LAYOUT names: the places of a tile's elements, which may be memory.
struct Subject {
  LinearLayout layout;
  std::optional<SharedLayout> memory;
};

/// One line of the table of memories.
struct MemoryRow {
  std::string name;
  SharedLayout memory;
  BankCost cost;
};

} // namespace

static Result<LinearLayout> readLayout(const std::string &text, std::string_view where) {
  if (const Fragment *fragment = findFragment(text))
    return fragment->layout;
  if (text.find('(') != text.npos)
    return parseLayout(text, where);
  std::vector<std::string> names;
  for (const Fragment &fragment : knownFragments())
    names.push_back(fragment.name);
  return unknownName("fragment", text, names);
}

static Result<Subject> readSubject(const std::string &text, unsigned elementBits) {
  constexpr std::string_view where = "LAYOUT";
  Result<LinearLayout> layout = readLayout(text, where);
  if (layout && !layout->ins().find(dims::offset))
    return Subject{*layout, std::nullopt};
  Result<SharedLayout> memory = parseSharedLayout(text, where, elementBits);
  if (memory)
    return Subject{memory->elements(), *memory};
  if (layout)
    return Subject{*layout, std::nullopt};
  // Of the two attempts the one that knew what the text begins with has the better message.
  bool isMemory = text.starts_with("row_major") || text.starts_with("swizzle") ||
                  text.find(") pad") != text.npos;
  return isMemory ? memory.takeErrors() : layout.takeErrors();
}

static Status checkRange(std::string_view option, int64_t value, int64_t most) {
  if (value >= 1 && value <= most)
    return Done();
  return error(fmt::format("{} {}", option, value), fmt::format("a number from 1 to {}", most));
}

static Result<unsigned> readOptions(const Options &options) {
  for (auto [name, value, most] : {std::tuple("--banks", options.banks, 1024),
                                   std::tuple("--word-bytes", options.wordBytes, 64),
                                   std::tuple("--phase-bytes", options.phaseBytes, 1 << 16),
                                   std::tuple("--rows", options.limits.rows, 4096),
                                   std::tuple("--columns", options.limits.columns, 4096)})
    if (Status status = checkRange(name, value, most); !status)
      return status.takeErrors();
  if (std::optional<DType> dtype = parseDType(options.dtype))
    return 8 * byteSize(*dtype);
  std::vector<std::string> names;
  for (DType dtype : allDTypes)
    names.emplace_back(name(dtype));
  return unknownName("dtype", options.dtype, names);
}

static Result<LinearLayout> multiply(const LinearLayout &outer, const LinearLayout &inner) {
  if (outer.ins().bits() + inner.ins().bits() > LayoutSpace::maxBits ||
      outer.outs().bits() + inner.outs().bits() > LayoutSpace::maxBits)
    return error("the product has more than 2^62 points", "at most 2^62");
  return outer * inner;
}

/// LAYOUT with what the options make of it, one after the other.
static Result<Subject> readDerived(const Options &options, unsigned elementBits) {
  Result<Subject> subject = readSubject(options.text, elementBits);
  if (!subject)
    return subject;
  Result<LinearLayout> layout = subject->layout;
  if (!options.outer.empty()) {
    Result<LinearLayout> outer = readLayout(options.outer, "--outer");
    layout = outer ? multiply(*outer, *layout) : outer;
  }
  if (layout && !options.next.empty()) {
    Result<LinearLayout> next = readLayout(options.next, "--then");
    layout = next ? layout->then(*next) : next;
  }
  if (layout && options.invert)
    layout = layout->inverse();
  else if (layout && options.pseudoInvert)
    layout = layout->pseudoInverse();
  if (!layout)
    return layout.takeErrors();
  return *layout == subject->layout ? subject : Subject{*layout, std::nullopt};
}

static Result<TileUsers> readUsers(const Options &options, const LinearLayout &layout,
                                   unsigned elementBits) {
  constexpr unsigned mostBits = 16;
  TileUsers users{{layout}, elementBits, 16};
  for (const std::string &text : options.others) {
    Result<LinearLayout> other = readLayout(text, "--also");
    if (!other)
      return other.takeErrors();
    users.layouts.push_back(std::move(*other));
  }
  for (const LinearLayout &user : users.layouts) {
    if (user.outs() != layout.outs())
      return error("the users of the memory have the tiles " + spell(layout.outs()) + " and " +
                       spell(user.outs()),
                   "all have one tile, its dims in one order");
    if (user.ins().bits() > mostBits || user.outs().bits() > mostBits)
      return error(fmt::format("{} places and {} elements", user.ins().size(), user.outs().size()),
                   fmt::format("conflicts are counted for up to {}", 1 << mostBits));
  }
  return users;
}

/// The memories that were asked about, with what the users need in each.
static Result<std::vector<MemoryRow>> readMemories(const Options &options, const BankModel &model,
                                                   const TileUsers &users) {
  std::vector<MemoryRow> rows;
  auto add = [&](std::string name, const SharedLayout &memory) {
    rows.push_back({std::move(name), memory, totalCost(model, users, memory)});
  };
  const LinearLayout &layout = users.layouts.front();
  for (const std::string &text : options.memories) {
    Result<SharedLayout> memory = parseSharedLayout(text, "--memory", users.elementBits);
    if (!memory)
      return memory.takeErrors();
    if (Result<LinearLayout> touched = layout.then(memory->offsets()); !touched)
      return error("LAYOUT has the tile " + spell(layout.outs()) + ", the memory " +
                       spell(memory->tile()),
                   "each dim of the tile is one of the memory, and not larger");
    add(text, *memory);
  }
  if (options.suggest) {
    std::string rowMajor = "row_major" + spell(layout.outs());
    add(rowMajor, *SharedLayout::rowMajor(layout.outs(), users.elementBits));
    SharedLayout padded = leastPadding(model, users);
    if (const Padding &padding = padded.padding(); padding.pad)
      add(fmt::format("{} pad [{}:+{}]", rowMajor, padding.interval, padding.pad), padded);
    SharedLayout swizzled = conflictFreeSwizzle(model, users);
    add(spell(swizzled), swizzled);
  }
  return rows;
}

static std::string describeMap(const LinearLayout &layout) {
  if (layout.isBijective())
    return "one to one";
  std::string text;
  if (size_t free = layout.kernel().size()) {
    std::vector<int64_t> masks = layout.ins().coordinates(layout.freeBits());
    std::string dims;
    for (size_t i = 0; i < masks.size(); ++i)
      for (unsigned bit = 0; bit < layout.ins()[i].bits; ++bit)
        if (masks[i] >> bit & 1)
          dims += fmt::format("{}{} {}", dims.empty() ? "" : ", ", layout.ins()[i].name,
                              int64_t(1) << bit);
    text = fmt::format("each element is in {} places; free bits: {}", uint64_t(1) << free, dims);
  }
  if (!layout.isSurjective())
    text += fmt::format("{}{} of {} elements are in no place", text.empty() ? "" : "; ",
                        layout.outs().size() - (int64_t(1) << layout.rank()), layout.outs().size());
  return text;
}

static std::string describeMemory(const SharedLayout &memory) {
  std::optional<Swizzle> swizzle = memory.hardwareSwizzle();
  return fmt::format("{} bytes, aligned to {}{}", memory.bytes(), memory.alignment(),
                     swizzle ? fmt::format("; hardware swizzle {}", name(*swizzle)) : "");
}

static std::string describeCrossing(const Conversion &conversion) {
  if (conversion.crosses.empty())
    return "no value moves";
  if (conversion.crosses == dims::reg)
    return "values move between registers of their lane";
  return fmt::format("values cross {}s", conversion.crosses);
}

static Json dimsJson(const LayoutSpace &space) {
  Json list = Json::array();
  for (const LayoutDim &dim : space)
    list.push(Json::object({{"name", dim.name}, {"size", dim.size()}}));
  return list;
}

static Json subjectJson(const Subject &subject) {
  const LinearLayout &layout = subject.layout;
  std::optional<std::string> cute = subject.memory ? spellCute(*subject.memory) : spellCute(layout);
  Json json = Json::object({{"layout", subject.memory ? spell(*subject.memory) : spell(layout)},
                            {"cute", cute ? Json(*cute) : Json()},
                            {"in", dimsJson(layout.ins())},
                            {"out", dimsJson(layout.outs())},
                            {"injective", layout.isInjective()},
                            {"surjective", layout.isSurjective()}});
  if (const std::optional<SharedLayout> &memory = subject.memory) {
    std::optional<Swizzle> swizzle = memory->hardwareSwizzle();
    json["bytes"] = memory->bytes();
    json["alignment"] = memory->alignment();
    json["hardware_swizzle"] = swizzle ? Json(name(*swizzle)) : Json();
  }
  return json;
}

static void printSubject(const Subject &subject, const GridLimits &limits) {
  const std::optional<SharedLayout> &memory = subject.memory;
  std::optional<std::string> cute = memory ? spellCute(*memory) : spellCute(subject.layout);
  fmt::print("{}\n", memory ? spell(*memory) : spell(subject.layout));
  fmt::print("CuTe: {}\n", cute.value_or("no spelling"));
  fmt::print("{}\n\n", memory ? describeMemory(*memory) : describeMap(subject.layout));
  fmt::print("{}", memory ? drawGrid(*memory, limits) : drawGrid(subject.layout, limits));
}

static Json memoriesJson(const std::vector<MemoryRow> &rows) {
  Json list = Json::array();
  for (const MemoryRow &row : rows)
    list.push(Json::object({{"memory", spell(row.memory)},
                            {"bytes", row.memory.bytes()},
                            {"accesses", row.cost.accesses},
                            {"wavefronts", row.cost.wavefronts},
                            {"ideal", row.cost.ideal},
                            {"degree", row.cost.degree}}));
  return list;
}

static void printMemories(const std::vector<MemoryRow> &rows, const Options &options) {
  fmt::print("\n{} in {} banks of {} bytes, {} bytes a phase\n", options.dtype, options.banks,
             options.wordBytes, options.phaseBytes);
  constexpr const char *format = "{:>6}  {:>8}  {:>10}  {:>7}  {:>9}  {}\n";
  fmt::print(format, "bytes", "accesses", "wavefronts", "at best", "conflicts", "memory");
  for (const MemoryRow &row : rows)
    fmt::print(format, row.memory.bytes(), row.cost.accesses, row.cost.wavefronts, row.cost.ideal,
               row.cost.isConflictFree() ? "none" : fmt::format("{}-way", row.cost.degree),
               row.name);
}

static int listFragments(bool json) {
  Json list = Json::array();
  size_t width = 0;
  for (const Fragment &fragment : knownFragments())
    width = std::max(width, fragment.name.size());
  for (const Fragment &fragment : knownFragments())
    if (json)
      list.push(Json::object({{"name", fragment.name},
                              {"summary", fragment.summary},
                              {"layout", spell(fragment.layout)}}));
    else
      fmt::print("{:<{}}  {}\n", fragment.name, width, fragment.summary);
  if (json)
    fmt::print("{}\n", Json::object({{"fragments", list}}).dump(2));
  else
    fmt::print("\nmetile layout NAME draws one; so does metile layout "
               "'(lane: [1, 2], register: [4]) -> (col: 8)'\n");
  return exitFine;
}

/// fail(), and for a mistake in a text of the command line a mark below its place.
static int failAt(const Errors &errors, const Options &options, bool json) {
  int code = fail(errors, json);
  const Location &at = errors.diagnostics.front().location;
  if (errors.diagnostics.size() != 1 || at.line != 1)
    return code;
  std::vector<std::pair<std::string_view, std::string_view>> texts = {{"LAYOUT", options.text},
                                                                      {"--outer", options.outer},
                                                                      {"--then", options.next},
                                                                      {"--to", options.to}};
  if (options.memories.size() == 1)
    texts.emplace_back("--memory", options.memories[0]);
  if (options.others.size() == 1)
    texts.emplace_back("--also", options.others[0]);
  for (auto [name, text] : texts)
    if (at.file == name && text.find('\n') == text.npos)
      fmt::print(stderr, "  {}\n  {:>{}}\n", text, '^', at.column);
  return code;
}

int layout(const Registry &, const Words &words) {
  CommandLine line("layout", "Draws a layout: which lane and register, or which offset of "
                             "threadgroup memory, holds which element of a tile. docs/layouts.md "
                             "explains how layouts are written.");
  Options options;
  CLI::App &app = line.app;
  app.add_option(
      "LAYOUT", options.text,
      "a layout, a layout of memory or the name of a fragment; all fragments if missing");
  app.add_option("--outer", options.outer, "put LAYOUT in place of each element of this one");
  app.add_option("--then", options.next, "go on from the elements of LAYOUT to those of this one");
  app.add_flag("--invert", options.invert, "from elements to places; only if there is one place");
  app.add_flag("--pseudo-invert", options.pseudoInvert,
               "to the smallest place of each element, or of the nearest one that has a place");
  app.add_option("--to", options.to, "say how values get from LAYOUT to this one");
  line.addRepeated("--memory", options.memories,
                   "count bank conflicts of LAYOUT in this memory; may be repeated");
  line.addRepeated("--also", options.others,
                   "another layout that uses the memory; may be repeated");
  app.add_flag("--suggest", options.suggest,
               "count in row-major memory, with the least padding and with a computed swizzle");
  app.add_option("--dtype", options.dtype, "of the elements in memory; f16 if missing");
  app.add_option("--banks", options.banks, "32 if missing");
  app.add_option("--word-bytes", options.wordBytes,
                 "bytes that a bank serves at once; 4 if missing");
  app.add_option("--phase-bytes", options.phaseBytes,
                 "bytes that lanes access at once; 128 if missing");
  app.add_option("--rows", options.limits.rows, "most rows of the picture; 32 if missing");
  app.add_option("--columns", options.limits.columns, "most columns of it; 16 if missing");
  if (auto code = line.parse(words))
    return *code;
  if (options.text.empty())
    return listFragments(line.json);

  Result<unsigned> elementBits = readOptions(options);
  if (!elementBits)
    return fail(elementBits.errors(), line.json);
  Result<Subject> subject = readDerived(options, *elementBits);
  if (!subject)
    return failAt(subject.errors(), options, line.json);

  std::optional<Conversion> conversion;
  if (!options.to.empty()) {
    Result<LinearLayout> to = readLayout(options.to, "--to");
    Result<Conversion> found = to ? convert(subject->layout, *to) : to.takeErrors();
    if (!found)
      return failAt(found.errors(), options, line.json);
    conversion = std::move(*found);
  }
  std::vector<MemoryRow> memories;
  if (options.suggest || !options.memories.empty()) {
    BankModel model{options.banks, options.wordBytes, options.phaseBytes};
    Result<TileUsers> users = readUsers(options, subject->layout, *elementBits);
    Result<std::vector<MemoryRow>> rows =
        users ? readMemories(options, model, *users) : users.takeErrors();
    if (!rows)
      return failAt(rows.errors(), options, line.json);
    memories = std::move(*rows);
  }

  if (line.json) {
    Json json = subjectJson(*subject);
    if (conversion)
      json["conversion"] =
          Json::object({{"crosses", conversion->crosses}, {"source", spell(conversion->source)}});
    if (!memories.empty())
      json["memories"] = memoriesJson(memories);
    fmt::print("{}\n", json.dump(2));
    return exitFine;
  }
  printSubject(*subject, options.limits);
  if (conversion)
    fmt::print("\nto {}\n{}; each place fetches from\n{}\n", options.to,
               describeCrossing(*conversion), spell(conversion->source));
  if (!memories.empty())
    printMemories(memories, options);
  return exitFine;
}

} // namespace metile::tools
