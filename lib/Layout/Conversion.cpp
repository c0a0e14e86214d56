// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/Conversion.h"

#include "Layout/Spelling.h"

namespace metile {

static bool haveSamePlaces(const LayoutSpace &a, const LayoutSpace &b) {
  if (a.rank() != b.rank())
    return false;
  for (size_t i = 0; i < a.rank(); ++i)
    if (a[i].name != b[i].name || (i + 1 < a.rank() && a[i].bits != b[i].bits))
      return false;
  return true;
}

/// The source map for values that cross the last `depth` in-dims only, if there is one. It keeps
/// the other in-dims; what these do not account for must come from the last ones.
static std::optional<LinearLayout> sourceWithin(size_t depth, const LinearLayout &from,
                                                const LinearLayout &to) {
  LayoutSpace inner = from.ins().last(depth), outer = from.ins();
  for (size_t i = outer.rank() - depth; i < outer.rank(); ++i)
    outer.setBits(i, 0);
  BitMatrix kept = linkByName(outer, from.ins()) * linkByName(to.ins(), outer);
  BitMatrix wanted = linkByName(to.outs(), from.outs()) * to.matrix();
  LinearLayout rest(to.ins(), from.outs(), wanted ^ from.matrix() * kept);
  LinearLayout innerPart(inner, from.outs(), from.matrix() * linkByName(inner, from.ins()));
  std::optional<LinearLayout> moved = rest.lift(innerPart);
  if (!moved)
    return std::nullopt;
  return LinearLayout(to.ins(), from.ins(), kept ^ linkByName(inner, from.ins()) * moved->matrix());
}

Result<Conversion> convert(const LinearLayout &from, const LinearLayout &to) {
  if (!haveSamePlaces(from.ins(), to.ins()))
    return error("the layouts have the places " + spell(from.ins()) + " and " + spell(to.ins()),
                 "both have the same in-dims in one order, and only the last may differ in size");
  for (const LayoutDim &dim : to.outs())
    if (dim.bits > from.outs().bitsOf(dim.name))
      return error("the layouts have the elements " + spell(from.outs()) + " and " +
                       spell(to.outs()),
                   "the second has no element that the first lacks");
  for (size_t depth = 0; depth <= from.ins().rank(); ++depth)
    if (std::optional<LinearLayout> source = sourceWithin(depth, from, to))
      return Conversion{depth ? from.ins()[from.ins().rank() - depth].name : "",
                        std::move(*source)};
  Elimination held(from.matrix());
  BitMatrix wanted = linkByName(to.outs(), from.outs()) * to.matrix();
  unsigned missing = 0;
  while (held.inImage(wanted[missing]))
    ++missing;
  return error("no place of the first layout holds " + from.outs().describe(wanted[missing]) +
                   ", which " + to.ins().describe(uint64_t(1) << missing) + " of the second needs",
               "the second has no element that the first lacks");
}

} // namespace metile
