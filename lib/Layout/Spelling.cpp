// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/Spelling.h"

#include <charconv>

namespace metile {

static std::string listed(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string spell(const LayoutSpace &space) {
  std::vector<std::string> dims;
  for (const LayoutDim &dim : space)
    dims.push_back(dim.name + ": " + std::to_string(dim.size()));
  return "(" + listed(dims) + ")";
}

static std::string spellBasis(const std::vector<int64_t> &coordinates) {
  if (coordinates.size() == 1)
    return std::to_string(coordinates[0]);
  std::string text;
  for (int64_t value : coordinates)
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return "(" + text + ")";
}

std::string spell(const LinearLayout &layout) {
  std::vector<std::string> ins;
  for (size_t i = 0; i < layout.ins().rank(); ++i) {
    std::vector<std::string> bases;
    for (unsigned b = 0; b < layout.ins()[i].bits; ++b)
      bases.push_back(
          spellBasis(layout.outs().coordinates(layout.matrix()[layout.ins().lowestBit(i) + b])));
    ins.push_back(layout.ins()[i].name + ": [" + listed(bases) + "]");
  }
  return "(" + listed(ins) + ") -> " + spell(layout.outs());
}

namespace {

/// Reads the text from left to right. A function that returns false has left a message.
class LayoutParser {
public:
  LayoutParser(std::string_view text, std::string_view name)
      : text(text), place{std::string(name), 1, 1, {}} {}

  Result<LinearLayout> layout() {
    std::optional<LinearLayout> parsed = parseLayout();
    if (parsed && (skipSpace(), !text.empty()))
      complain("text behind the layout: " + next(), "nothing follows the out-dims", "remove it");
    return mistakes.diagnostics.empty() ? Result<LinearLayout>(std::move(*parsed)) : mistakes;
  }

private:
  struct Basis {
    Location place;
    size_t in;
    std::vector<int64_t> vector;
  };
  struct Dims {
    std::vector<SizedDim> list;
    std::vector<Location> places;
  };

  std::optional<LinearLayout> parseLayout() {
    Dims ins, outs;
    std::vector<Basis> bases;
    if (!sequence('(', ')', "an in-dim", [&] { return parseIn(ins, bases); }) || !expect("->") ||
        !sequence('(', ')', "an out-dim", [&] { return parseOut(outs); }))
      return std::nullopt;
    std::optional<LayoutSpace> inSpace = makeSpace(ins), outSpace = makeSpace(outs);
    if (!inSpace || !outSpace)
      return std::nullopt;
    std::vector<LinearLayout::Bases> lists;
    for (const SizedDim &dim : ins.list)
      lists.push_back({std::string(dim.name), {}});
    for (Basis &basis : bases) {
      take(LinearLayout::readBasis(ins.list[basis.in].name, basis.vector, *outSpace), basis.place);
      lists[basis.in].vectors.push_back(std::move(basis.vector));
    }
    if (!mistakes.diagnostics.empty())
      return std::nullopt;
    return *LinearLayout::fromBases(lists, *outSpace);
  }

  bool parseIn(Dims &ins, std::vector<Basis> &bases) {
    size_t index = ins.list.size(), before = bases.size();
    if (!parseName(ins) || !sequence('[', ']', "a basis", [&] { return parseBasis(index, bases); }))
      return false;
    if (bases.size() - before > LayoutSpace::maxBits)
      return complain(bases[before + LayoutSpace::maxBits].place, "too many bases",
                      "at most " + std::to_string(LayoutSpace::maxBits));
    ins.list.back().size = int64_t(1) << (bases.size() - before);
    return true;
  }

  bool parseOut(Dims &outs) { return parseName(outs) && parseNumber(outs.list.back().size); }

  bool parseName(Dims &dims) {
    skipSpace();
    dims.places.push_back(place);
    size_t length = 0;
    while (length < text.size() && isWord(text[length]))
      ++length;
    if (length == 0)
      return complain("found " + next(), "the name of a dim stands here");
    dims.list.push_back({advance(length), 1});
    return expect(":");
  }

  bool parseBasis(size_t in, std::vector<Basis> &bases) {
    skipSpace();
    bases.push_back({place, in, {}});
    auto coordinate = [&] { return parseNumber(bases.back().vector.emplace_back()); };
    return text.starts_with('(') ? sequence('(', ')', "a coordinate", coordinate) : coordinate();
  }

  bool parseNumber(int64_t &value) {
    skipSpace();
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc())
      return complain("found " + next(), "a number below 2^63 stands here");
    advance(static_cast<size_t>(end - text.data()));
    return true;
  }

  /// Reads `open`, elements with commas between them, `close`.
  template <class Element>
  bool sequence(char open, char close, std::string_view what, Element element) {
    if (!expect({&open, 1}))
      return false;
    skipSpace();
    for (bool first = true; !text.starts_with(close); first = false) {
      if (!first && !text.starts_with(','))
        return complain("found " + next(),
                        "',' and " + std::string(what) + ", or '" + close + "' stands here");
      if (!first)
        advance(1);
      if (!element())
        return false;
      skipSpace();
    }
    advance(1);
    return true;
  }

  bool expect(std::string_view token) {
    skipSpace();
    if (!text.starts_with(token))
      return complain("found " + next(), "'" + std::string(token) + "' stands here",
                      "a layout is written (lane: [(0,1), (1,0)]) -> (row: 2, col: 2)");
    advance(token.size());
    return true;
  }

  /// The space of the dims, each of which is checked at its own place.
  std::optional<LayoutSpace> makeSpace(const Dims &dims) {
    LayoutSpace space;
    for (size_t i = 0; i < dims.list.size(); ++i) {
      Result<LayoutSpace> longer = LayoutSpace::create(std::span(dims.list).first(i + 1));
      if (!take(longer, dims.places[i]))
        return std::nullopt;
      space = std::move(*longer);
    }
    return space;
  }

  template <class T> bool take(const Result<T> &result, const Location &where) {
    if (result)
      return true;
    for (Diagnostic mistake : result.errors().diagnostics) {
      mistake.location = where;
      mistakes.diagnostics.push_back(std::move(mistake));
    }
    return false;
  }

  bool complain(std::string found, std::string allowed, std::string change = {}) {
    return complain(place, std::move(found), std::move(allowed), std::move(change));
  }
  bool complain(Location where, std::string found, std::string allowed, std::string change = {}) {
    mistakes.diagnostics.push_back(
        {std::move(where), std::move(found), std::move(allowed), std::move(change)});
    return false;
  }

  static bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  void skipSpace() {
    size_t count = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    advance(count);
  }
  /// What comes next, for messages.
  std::string next() const {
    if (text.empty())
      return "the end";
    size_t length = 1;
    while (isWord(text[0]) && length < text.size() && isWord(text[length]))
      ++length;
    return "'" + std::string(text.substr(0, length)) + "'";
  }
  std::string_view advance(size_t count) {
    std::string_view passed = text.substr(0, count);
    for (char c : passed) {
      place.column = c == '\n' ? 1 : place.column + 1;
      place.line += c == '\n';
    }
    text.remove_prefix(count);
    return passed;
  }

  std::string_view text; ///< What is left.
  Location place;        ///< Where it begins.
  Errors mistakes;
};

} // namespace

Result<LinearLayout> parseLayout(std::string_view text, std::string_view name) {
  return LayoutParser(text, name).layout();
}

} // namespace metile
