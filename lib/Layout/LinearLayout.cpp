// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/LinearLayout.h"

#include <algorithm>
#include <cassert>

namespace metile {

static uint64_t bit(unsigned index) { return uint64_t(1) << index; }

BitMatrix linkByName(const LayoutSpace &from, const LayoutSpace &to, const LayoutSpace &fromSkip,
                     const LayoutSpace &toSkip) {
  BitMatrix link(from.bits());
  for (size_t i = 0; i < from.rank(); ++i) {
    const LayoutDim &dim = from[i];
    std::optional<size_t> partner = to.find(dim.name);
    unsigned skipped = fromSkip.bitsOf(dim.name), first = toSkip.bitsOf(dim.name);
    if (!partner)
      continue;
    for (unsigned b = skipped; b < dim.bits && b - skipped + first < to[*partner].bits; ++b)
      link[from.lowestBit(i) + b] = bit(to.lowestBit(*partner) + b - skipped + first);
  }
  return link;
}

LinearLayout::LinearLayout(LayoutSpace ins, LayoutSpace outs, BitMatrix matrix)
    : inSpace(std::move(ins)), outSpace(std::move(outs)), bases(std::move(matrix)) {
  assert(bases.width() == inSpace.bits() && bases.fits(outSpace.bits()));
}

static std::string tuple(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ",") + std::to_string(value);
  return "(" + text + ")";
}

Result<uint64_t> LinearLayout::readBasis(std::string_view in, const std::vector<int64_t> &vector,
                                         const LayoutSpace &outs) {
  std::string found = "basis " + tuple(vector) + " of '" + std::string(in) + "'";
  if (vector.size() != outs.rank())
    return error(found + " has length " + std::to_string(vector.size()),
                 "one coordinate for each of the " + std::to_string(outs.rank()) + " out-dims");
  for (size_t i = 0; i < vector.size(); ++i)
    if (vector[i] < 0 || vector[i] >= outs[i].size())
      return error(found + " lies outside of '" + outs[i].name + "'",
                   "0 to " + std::to_string(outs[i].size() - 1),
                   "make the basis smaller or '" + outs[i].name + "' larger");
  return outs.number(vector);
}

Result<LinearLayout> LinearLayout::fromBases(std::span<const Bases> ins, const LayoutSpace &outs) {
  std::vector<SizedDim> sizes;
  for (const Bases &in : ins) {
    if (in.vectors.size() > LayoutSpace::maxBits)
      return error("'" + in.name + "' has " + std::to_string(in.vectors.size()) + " bases",
                   "at most " + std::to_string(LayoutSpace::maxBits));
    sizes.push_back({in.name, int64_t(1) << in.vectors.size()});
  }
  Result<LayoutSpace> space = LayoutSpace::create(sizes);
  if (!space)
    return space.takeErrors();
  BitMatrix matrix(space->bits());
  for (size_t i = 0; i < ins.size(); ++i)
    for (unsigned b = 0; b < ins[i].vectors.size(); ++b) {
      Result<uint64_t> basis = readBasis(ins[i].name, ins[i].vectors[b], outs);
      if (!basis)
        return basis.takeErrors();
      matrix[space->lowestBit(i) + b] = *basis;
    }
  return LinearLayout(std::move(*space), outs, std::move(matrix));
}

LinearLayout LinearLayout::identity(std::string_view in, std::string_view out, int64_t size) {
  return strided(in, out, size, 1);
}

LinearLayout LinearLayout::strided(std::string_view in, std::string_view out, int64_t size,
                                   int64_t stride) {
  LayoutSpace ins{{in, size}}, steps{{out, stride}}, outs{{out, size * stride}};
  return {ins, outs, linkByName({{out, size}}, outs, {}, steps)};
}

LinearLayout LinearLayout::broadcast(std::string_view in, int64_t size) {
  LayoutSpace ins{{in, size}};
  return {ins, {}, BitMatrix(ins.bits())};
}

std::vector<int64_t> LinearLayout::at(const std::vector<int64_t> &place) const {
  return outSpace.coordinates((*this)(inSpace.number(place)));
}

static LayoutSpace renamed(LayoutSpace space, std::string_view from, std::string_view to) {
  std::optional<size_t> index = space.find(from);
  assert(index && (from == to || !space.find(to)));
  space.rename(*index, to);
  return space;
}

LinearLayout LinearLayout::renameIn(std::string_view from, std::string_view to) const {
  return {renamed(inSpace, from, to), outSpace, bases};
}

LinearLayout LinearLayout::renameOut(std::string_view from, std::string_view to) const {
  return {inSpace, renamed(outSpace, from, to), bases};
}

LinearLayout LinearLayout::transposeIns(const Names &names) const {
  assert(names.size() == inSpace.rank());
  LayoutSpace ins = inSpace.select(names);
  return {ins, outSpace, bases * linkByName(ins, inSpace)};
}

LinearLayout LinearLayout::transposeOuts(const Names &names) const {
  assert(names.size() == outSpace.rank());
  LayoutSpace outs = outSpace.select(names);
  return {inSpace, outs, linkByName(outSpace, outs) * bases};
}

LinearLayout LinearLayout::reshapeIns(const LayoutSpace &ins) const {
  assert(ins.bits() == inSpace.bits());
  return {ins, outSpace, bases};
}

LinearLayout LinearLayout::reshapeOuts(const LayoutSpace &outs) const {
  assert(outs.bits() == outSpace.bits());
  return {inSpace, outs, bases};
}

LinearLayout LinearLayout::flattenIns(std::string_view name) const {
  return reshapeIns({{name, inSpace.size()}});
}

LinearLayout LinearLayout::flattenOuts(std::string_view name) const {
  return reshapeOuts({{name, outSpace.size()}});
}

LinearLayout LinearLayout::resizeIn(std::string_view in, int64_t size) const {
  LayoutSpace ins(inSpace);
  ins.setBits(*ins.find(in), LayoutSpace{{in, size}}.bits());
  return {ins, outSpace, bases * linkByName(ins, inSpace)};
}

LinearLayout LinearLayout::restrict(const Names &inNames, const Names &outNames) const {
  LayoutSpace ins = inSpace.select(inNames), outs = outSpace.select(outNames);
  return {ins, outs, linkByName(outSpace, outs) * bases * linkByName(ins, inSpace)};
}

static LayoutSpace concatenated(LayoutSpace first, const LayoutSpace &second) {
  for (const LayoutDim &dim : second)
    first.append(dim);
  return first;
}

LinearLayout LinearLayout::joinIns(const LinearLayout &a, const LinearLayout &b) {
  assert(a.outSpace == b.outSpace);
  LayoutSpace ins = concatenated(a.inSpace, b.inSpace);
  return {ins, a.outSpace,
          (a.bases * linkByName(ins, a.inSpace)) ^ (b.bases * linkByName(ins, b.inSpace))};
}

LinearLayout LinearLayout::joinOuts(const LinearLayout &a, const LinearLayout &b) {
  assert(a.inSpace == b.inSpace);
  LayoutSpace outs = concatenated(a.outSpace, b.outSpace);
  return {a.inSpace, outs,
          (linkByName(a.outSpace, outs) * a.bases) ^ (linkByName(b.outSpace, outs) * b.bases)};
}

static std::string listDims(const LayoutSpace &space) {
  std::string text;
  for (const LayoutDim &dim : space)
    text += (text.empty() ? "" : ", ") + dim.name + ": " + std::to_string(dim.size());
  return "(" + text + ")";
}

/// Whether each dim of `part` is in `whole`, and not smaller there.
static bool fitsInto(const LayoutSpace &part, const LayoutSpace &whole) {
  return std::all_of(part.begin(), part.end(),
                     [&](const LayoutDim &dim) { return dim.bits <= whole.bitsOf(dim.name); });
}

Result<LinearLayout> LinearLayout::then(const LinearLayout &next) const {
  if (!fitsInto(outSpace, next.inSpace))
    return error("the first layout leads to " + listDims(outSpace) + ", the second starts from " +
                     listDims(next.inSpace),
                 "each dim of the first is one of the second, and not larger",
                 "rename or resize dims");
  return LinearLayout(inSpace, next.outSpace,
                      next.bases * linkByName(outSpace, next.inSpace) * bases);
}

Result<LinearLayout> LinearLayout::inverse() const {
  Elimination elimination(bases);
  if (!elimination.kernel().empty()) {
    // The highest bit against the rest: two places that differ by the vector of the kernel.
    uint64_t difference = elimination.kernel().front(), place = std::bit_floor(difference);
    return error(inSpace.describe(place ^ difference) + " and " + inSpace.describe(place) +
                     " hold the same element, " + outSpace.describe((*this)(place)),
                 "only a layout that has each element in one place has an inverse",
                 "take the pseudo-inverse, or leave the replicas out first");
  }
  for (unsigned i = 0; i < outSpace.bits(); ++i)
    if (!elimination.inImage(bit(i)))
      return error("no place holds " + outSpace.describe(bit(i)),
                   "only a layout that has each element in one place has an inverse",
                   "take the pseudo-inverse, or make the out-dims smaller");
  return LinearLayout(outSpace, inSpace, elimination.solutions(outSpace.bits()));
}

LinearLayout LinearLayout::pseudoInverse() const {
  return {outSpace, inSpace, Elimination(bases).solutions(outSpace.bits())};
}

std::optional<LinearLayout> LinearLayout::lift(const LinearLayout &through) const {
  if (!fitsInto(outSpace, through.outSpace))
    return std::nullopt;
  Elimination elimination(through.bases);
  BitMatrix wanted = linkByName(outSpace, through.outSpace) * bases, lifted(inSpace.bits());
  for (unsigned i = 0; i < inSpace.bits(); ++i) {
    auto [x, remainder] = elimination.solve(wanted[i]);
    if (remainder)
      return std::nullopt;
    lifted[i] = x;
  }
  return LinearLayout(inSpace, through.inSpace, std::move(lifted));
}

static LayoutSpace product(const LayoutSpace &outer, const LayoutSpace &inner) {
  LayoutSpace space;
  for (const LayoutDim &dim : outer)
    if (!inner.find(dim.name))
      space.append(dim);
  for (const LayoutDim &dim : inner)
    space.append({dim.name, dim.bits + outer.bitsOf(dim.name)});
  return space;
}

LinearLayout operator*(const LinearLayout &outer, const LinearLayout &inner) {
  const LayoutSpace &innerIns = inner.inSpace, &innerOuts = inner.outSpace;
  LayoutSpace ins = product(outer.inSpace, innerIns), outs = product(outer.outSpace, innerOuts);
  BitMatrix low = linkByName(innerOuts, outs) * inner.bases * linkByName(ins, innerIns);
  BitMatrix high = linkByName(outer.outSpace, outs, {}, innerOuts) * outer.bases *
                   linkByName(ins, outer.inSpace, innerIns);
  return {ins, outs, low ^ high};
}

/// `space` without the bits of `removed`, of which it must have at least as many.
static LayoutSpace quotient(LayoutSpace space, const LayoutSpace &removed) {
  for (size_t i = 0; i < space.rank(); ++i)
    space.setBits(i, space[i].bits - removed.bitsOf(space[i].name));
  return space;
}

std::optional<LinearLayout> LinearLayout::dividedByInner(const LinearLayout &inner) const {
  if (!fitsInto(inner.inSpace, inSpace) || !fitsInto(inner.outSpace, outSpace))
    return std::nullopt;
  LayoutSpace ins = quotient(inSpace, inner.inSpace), outs = quotient(outSpace, inner.outSpace);
  LinearLayout outer(ins, outs,
                     linkByName(outSpace, outs, inner.outSpace) * bases *
                         linkByName(ins, inSpace, {}, inner.inSpace));
  return isSameMap(outer * inner) ? std::optional(outer) : std::nullopt;
}

std::optional<LinearLayout> LinearLayout::dividedByOuter(const LinearLayout &outer) const {
  if (!fitsInto(outer.inSpace, inSpace) || !fitsInto(outer.outSpace, outSpace))
    return std::nullopt;
  LayoutSpace ins = quotient(inSpace, outer.inSpace), outs = quotient(outSpace, outer.outSpace);
  LinearLayout inner(ins, outs, linkByName(outSpace, outs) * bases * linkByName(ins, inSpace));
  return isSameMap(outer * inner) ? std::optional(inner) : std::nullopt;
}

bool LinearLayout::isIdentity() const {
  for (unsigned i = 0; i < bases.width(); ++i)
    if (bases[i] != bit(i))
      return false;
  return inSpace.bits() == outSpace.bits();
}

LinearLayout LinearLayout::withoutReplicas() const {
  uint64_t free = freeBits();
  LayoutSpace ins(inSpace);
  std::vector<uint64_t> kept;
  for (unsigned i = 0; i < bases.width(); ++i)
    if (!(free & bit(i)))
      kept.push_back(bases[i]);
  std::vector<int64_t> masks = inSpace.coordinates(free);
  for (size_t i = 0; i < ins.rank(); ++i)
    ins.setBits(i, ins[i].bits -
                       static_cast<unsigned>(std::popcount(static_cast<uint64_t>(masks[i]))));
  return {ins, outSpace, BitMatrix(std::move(kept))};
}

LinearLayout LinearLayout::canonical() const {
  LayoutSpace ins = inSpace.canonical(), outs = outSpace.canonical();
  return {ins, outs, linkByName(outSpace, outs) * bases * linkByName(ins, inSpace)};
}

bool LinearLayout::isSameUpToBroadcast(const LinearLayout &other) const {
  // Both on the larger number of places along each dim, new ones repeating.
  LayoutSpace ins = inSpace;
  for (const LayoutDim &dim : other.inSpace) {
    std::optional<size_t> index = ins.find(dim.name);
    if (index)
      ins.setBits(*index, std::max(dim.bits, ins[*index].bits));
    else
      ins.append(dim);
  }
  LinearLayout a(ins, outSpace, bases * linkByName(ins, inSpace));
  LinearLayout b(ins, other.outSpace, other.bases * linkByName(ins, other.inSpace));
  return a.isSameMap(b);
}

std::vector<unsigned> LinearLayout::contiguousBits(std::string_view in,
                                                   std::string_view out) const {
  std::optional<size_t> inIndex = inSpace.find(in), outIndex = outSpace.find(out);
  std::vector<unsigned> found;
  if (!inIndex || !outIndex)
    return found;
  unsigned first = inSpace.lowestBit(*inIndex), step = outSpace.lowestBit(*outIndex);
  for (unsigned i = 0; i < outSpace[*outIndex].bits; ++i) {
    unsigned users = 0, maker = 0;
    for (unsigned j = 0; j < bases.width(); ++j)
      if (bases[j] & bit(step + i)) {
        ++users;
        maker = j;
      }
    if (users != 1 || bases[maker] != bit(step + i) || maker < first ||
        maker >= first + inSpace[*inIndex].bits)
      break;
    found.push_back(maker - first);
  }
  return found;
}

} // namespace metile
