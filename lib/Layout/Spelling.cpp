// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/Spelling.h"

#include <algorithm>
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

/// "(0,1)", but "1" for a single number.
static std::string spellTuple(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return values.size() == 1 ? text : "(" + text + ")";
}

std::string spell(const LinearLayout &layout) {
  std::vector<std::string> ins;
  for (size_t i = 0; i < layout.ins().rank(); ++i) {
    std::vector<std::string> bases(layout.ins()[i].bits);
    for (unsigned b = 0; b < bases.size(); ++b)
      bases[b] =
          spellTuple(layout.outs().coordinates(layout.matrix()[layout.ins().lowestBit(i) + b]));
    ins.push_back(layout.ins()[i].name + ": [" + listed(bases) + "]");
  }
  return "(" + listed(ins) + ") -> " + spell(layout.outs());
}

std::string spell(const SharedLayout &layout) {
  std::string text = spell(layout.elements());
  if (const Padding &padding = layout.padding(); padding.pad)
    text += " pad [" + std::to_string(padding.interval) + ":+" + std::to_string(padding.pad) + "]";
  return text;
}

namespace {

/// One mode of a CuTe layout: shapes and strides, leftmost fastest.
struct CuteMode {
  std::vector<int64_t> shapes, strides;

  void addBit(int64_t stride) {
    if (!shapes.empty() && stride == shapes.back() * strides.back()) {
      shapes.back() *= 2;
      return;
    }
    shapes.push_back(2);
    strides.push_back(stride);
  }
};

} // namespace

/// The shape:stride spelling of XORs that are sums, when index i lies at `at(i)`.
template <class At>
static std::optional<std::string> spellStrided(const LayoutSpace &ins, const BitMatrix &matrix,
                                               At at) {
  uint64_t used = 0;
  std::string shapes, strides;
  for (size_t i = 0; i < ins.rank(); ++i) {
    CuteMode mode;
    for (unsigned b = 0; b < ins[i].bits; ++b) {
      uint64_t index = matrix[ins.lowestBit(i) + b];
      if (used & index)
        return std::nullopt;
      used |= index;
      mode.addBit(at(static_cast<int64_t>(index)));
    }
    shapes += (i ? "," : "") + (mode.shapes.empty() ? "1" : spellTuple(mode.shapes));
    strides += (i ? "," : "") + (mode.shapes.empty() ? "0" : spellTuple(mode.strides));
  }
  return ins.rank() == 1 ? shapes + ":" + strides : "(" + shapes + "):(" + strides + ")";
}

/// The same, behind one of CuTe's swizzles if need be: Swizzle<count,base,shift> XORs the `count`
/// bits from `base` with those that lie `shift` higher. It undoes itself.
template <class At>
static std::optional<std::string> spellSwizzled(const LinearLayout &layout, At at) {
  if (std::optional<std::string> text = spellStrided(layout.ins(), layout.matrix(), at))
    return text;
  unsigned bits = layout.outs().bits();
  for (unsigned count = 1; 2 * count <= bits; ++count)
    for (unsigned base = 0; base + 2 * count <= bits; ++base)
      for (unsigned shift = count; base + shift + count <= bits; ++shift) {
        uint64_t mask = ((uint64_t(1) << count) - 1) << (base + shift);
        BitMatrix plain(layout.matrix());
        for (unsigned i = 0; i < plain.width(); ++i)
          plain[i] ^= (plain[i] & mask) >> shift;
        if (std::optional<std::string> text = spellStrided(layout.ins(), plain, at))
          return "Swizzle<" + std::to_string(count) + "," + std::to_string(base) + "," +
                 std::to_string(shift) + "> o " + *text;
      }
  return std::nullopt;
}

std::optional<std::string> spellCute(const LinearLayout &layout) {
  LinearLayout::Names reversed;
  for (const LayoutDim &dim : layout.outs())
    reversed.insert(reversed.begin(), dim.name);
  return spellSwizzled(layout.transposeOuts(reversed), [](int64_t index) { return index; });
}

std::optional<std::string> spellCute(const SharedLayout &layout) {
  // A swizzle and padding behind it do not mix: padding would have to be a stride before it.
  if (layout.padding().pad == 0)
    return spellCute(layout.offsets());
  return spellStrided(layout.offsets().ins(), layout.offsets().matrix(),
                      [&](int64_t offset) { return layout.padded(offset); });
}

namespace {

/// Reads the text from left to right. A function that returns false has left a message.
class LayoutParser {
public:
  LayoutParser(std::string_view text, std::string_view name)
      : text(text), place{std::string(name), 1, 1, {}} {}

  Result<LinearLayout> layout() {
    std::optional<LinearLayout> parsed = parseLayout();
    if (!parsed || !expectEnd("nothing follows the out-dims"))
      return mistakes;
    return std::move(*parsed);
  }

  Result<SharedLayout> sharedLayout(unsigned elementBits) {
    skipSpace();
    std::optional<SharedLayout> parsed =
        text.starts_with('(') ? parseMemory(elementBits) : parseMaker(elementBits);
    if (parsed)
      parsed = parsePadding(std::move(*parsed));
    if (!parsed || !expectEnd("only padding follows, pad [64:+8]"))
      return mistakes;
    return std::move(*parsed);
  }

private:
  struct Basis {
    Location place;
    size_t in; ///< Which in-dim it belongs to, and to which of its bits.
    unsigned bit;
    std::vector<int64_t> vector;
  };
  struct Dims {
    std::vector<SizedDim> list;
    std::vector<Location> places;
  };

  std::optional<LinearLayout> parseLayout() {
    Dims ins, outs;
    std::vector<Basis> bases;
    skipSpace();
    if (!text.starts_with('(')) {
      complain("found " + next(), "a layout is written (lane: [(0,1), (1,0)]) -> (row: 2, col: 2)");
      return std::nullopt;
    }
    if (!sequence('(', ')', "an in-dim", [&] { return parseIn(ins, bases); }) || !expect("->") ||
        !sequence('(', ')', "an out-dim", [&] { return parseOut(outs); }))
      return std::nullopt;
    std::optional<LayoutSpace> inSpace = makeSpace(ins), outSpace = makeSpace(outs);
    if (!inSpace || !outSpace)
      return std::nullopt;
    BitMatrix matrix(inSpace->bits());
    for (const Basis &basis : bases)
      if (std::optional<uint64_t> element =
              take(LinearLayout::readBasis(ins.list[basis.in].name, basis.vector, *outSpace),
                   basis.place))
        matrix[inSpace->lowestBit(basis.in) + basis.bit] = *element;
    if (!mistakes.diagnostics.empty())
      return std::nullopt;
    return LinearLayout(std::move(*inSpace), std::move(*outSpace), std::move(matrix));
  }

  std::optional<SharedLayout> parseMemory(unsigned elementBits) {
    Location begin = place;
    std::optional<LinearLayout> elements = parseLayout();
    if (!elements)
      return std::nullopt;
    return take(SharedLayout::create(std::move(*elements), elementBits), begin);
  }

  std::optional<SharedLayout> parseMaker(unsigned elementBits) {
    Location begin = place;
    std::string_view maker = advance(wordLength());
    Dims dims;
    std::optional<Swizzle> swizzle;
    for (Swizzle known : {Swizzle::none, Swizzle::b32, Swizzle::b64, Swizzle::b128})
      if (maker == "swizzle_" + std::string(name(known)))
        swizzle = known;
    if (!swizzle && maker != "row_major") {
      complain(begin,
               maker.empty() ? "found " + next() : "unknown layout '" + std::string(maker) + "'",
               "a layout from offset, (offset: [...]) -> (row: 8, col: 64), or row_major, "
               "swizzle_none, swizzle_32B, swizzle_64B or swizzle_128B with a tile, "
               "row_major(row: 8, col: 64)");
      return std::nullopt;
    }
    if (!sequence('(', ')', "a dim", [&] { return parseOut(dims); }))
      return std::nullopt;
    std::optional<LayoutSpace> tile = makeSpace(dims);
    if (!tile)
      return std::nullopt;
    return take(swizzle ? SharedLayout::hardware(*swizzle, *tile, elementBits)
                        : SharedLayout::rowMajor(*tile, elementBits),
                begin);
  }

  /// `memory` with the padding that follows, if any does.
  std::optional<SharedLayout> parsePadding(SharedLayout memory) {
    skipSpace();
    Location begin = place;
    if (text.substr(0, wordLength()) != "pad")
      return memory;
    advance(wordLength());
    Padding padding;
    if (!expect("[") || !parseNumber(padding.interval) || !expect(":") || !expect("+") ||
        !parseNumber(padding.pad) || !expect("]"))
      return std::nullopt;
    return take(
        SharedLayout::create(memory.elements(), memory.elementBits(), padding, memory.alignment()),
        begin);
  }

  bool parseIn(Dims &ins, std::vector<Basis> &bases) {
    size_t index = ins.list.size();
    unsigned bits = 0;
    auto basis = [&] { return parseBasis(index, bits++, bases); };
    if (!parseName(ins) || !sequence('[', ']', "a basis", basis))
      return false;
    if (bits > LayoutSpace::maxBits)
      return complain(ins.places.back(), std::to_string(bits) + " bases of one in-dim",
                      "at most " + std::to_string(LayoutSpace::maxBits));
    ins.list.back().size = int64_t(1) << bits;
    return true;
  }

  bool parseOut(Dims &outs) { return parseName(outs) && parseNumber(outs.list.back().size); }

  bool parseName(Dims &dims) {
    skipSpace();
    dims.places.push_back(place);
    if (wordLength() == 0)
      return complain("found " + next(), "the name of a dim stands here");
    dims.list.push_back({advance(wordLength()), 1});
    return expect(":");
  }

  bool parseBasis(size_t in, unsigned bit, std::vector<Basis> &bases) {
    skipSpace();
    bases.push_back({place, in, bit, {}});
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

  bool expectEnd(std::string_view rule) {
    skipSpace();
    return text.empty() || complain("text behind the layout: " + next(), std::string(rule));
  }

  bool expect(std::string_view token) {
    skipSpace();
    if (!text.starts_with(token))
      return complain("found " + next(), "'" + std::string(token) + "' stands here");
    advance(token.size());
    return true;
  }

  /// The space of the dims, each of which is checked at its own place.
  std::optional<LayoutSpace> makeSpace(const Dims &dims) {
    LayoutSpace space;
    for (size_t i = 0; i < dims.list.size(); ++i)
      if (!take(space.add(dims.list[i]), dims.places[i]))
        return std::nullopt;
    return space;
  }

  /// The value, or nothing and its errors, which are about what stands at `where`.
  template <class T> std::optional<T> take(Result<T> result, const Location &where) {
    if (result)
      return std::move(*result);
    for (Diagnostic mistake : result.errors().diagnostics) {
      mistake.location = where;
      mistakes.diagnostics.push_back(std::move(mistake));
    }
    return std::nullopt;
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
  void skipSpace() { advance(std::min(text.find_first_not_of(" \t\r\n"), text.size())); }
  size_t wordLength() const {
    return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), isWord) - text.begin());
  }
  /// What comes next, for messages.
  std::string next() const {
    if (text.empty())
      return "the end";
    return "'" + std::string(text.substr(0, std::max<size_t>(1, wordLength()))) + "'";
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

Result<SharedLayout> parseSharedLayout(std::string_view text, std::string_view name,
                                       unsigned elementBits) {
  return LayoutParser(text, name).sharedLayout(elementBits);
}

} // namespace metile
