// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LinearLayout: which place of the machine holds which element of a tile. Must not know IR, a
// target or how layouts are chosen.
//
//                                 Linear layouts, an essay
//
// Every example below is a test (unittest/Layout/EssayTest.cpp); `metile layout 'TEXT'` prints the
// grid of any layout.
//
// 1. Four vectors describe a whole tile.  Let 8 lanes with 2 registers each hold a tile of 4x4
// elements like this (a cell says lane:register):
//
//            col 0    1    2    3
//     row 0    0:0  0:1  1:0  1:1         row = lane / 2
//         1    2:0  2:1  3:0  3:1         col = lane % 2 * 2 + register
//         2    4:0  4:1  5:0  5:1
//         3    6:0  6:1  7:0  7:1
//
// Those formulas move bits. Bit 0 of the register number is worth (0,1): setting it goes one column
// to the right. Bit 0 of the lane number is worth (0,2), bit 1 is worth (1,0), bit 2 (2,0). That is
// all there is to know, and it is how the layout is written:
//
//     (lane: [(0,2), (1,0), (2,0)], register: [(0,1)]) -> (row: 4, col: 4)
//
// Lane 5 is 4 + 1, so it starts at (2,0) ^ (0,2) = (2,2); its register 1 holds (2,2) ^ (0,1) =
// (2,3). The vectors are called *bases*. A place is a number in each *in-dim*, an element has a
// coordinate in each *out-dim*, and the layout is the function from places to elements that XORs
// the bases of the bits that are set. To write down a layout that is known as a formula, evaluate
// the formula at 1, 2, 4, … in each in-dim.
//
// 2. Why XOR and not +.  Where bases have no bit in common the two are the same, as above. Where
// they have, XOR stays inside of the tile and + would run out of it. That is what swizzled memory
// needs. Let a cell say at which offset of threadgroup memory its element lies:
//
//            col 0    1    2    3
//     row 0      0    1    2    3         (offset: [(0,1), (0,2), (1,1), (2,2)])
//         1      5    4    7    6             -> (row: 4, col: 4)
//         2     10   11    8    9
//         3     15   14   13   12
//
// With four banks, offset % 4, the lanes that read a column here touch all four of them; row after
// row they would touch one. No row and no column has a bank twice, and no byte is wasted.
//
// 3. A matrix, so that everything can be computed.  Functions that respect XOR, f(x ^ y) = f(x) ^
// f(y), are exactly the matrices over the field of two elements, with the bases for columns. So
// composition is a product of matrices, equality compares them, and inverses, images and kernels
// come out of Gaussian elimination: exactly, without case distinctions, and in as many steps as
// there are *bits*. A tile of 2^16 elements is a matrix of 16 columns.
//
// 4. Why from places to elements.  A place holds exactly one element, so this direction is always a
// function. The other one need not be: an element may be in several places, or in none. A zero
// basis says "in several": here lanes 4 to 7 repeat what lanes 0 to 3 hold,
//
//     (lane: [(0,1), (0,2), (0,0)]) -> (row: 1, col: 4)       0,4  1,5  2,6  3,7
//
// and bit 2 of the lane is called *free*. Of all places of an element exactly one has no free bit
// set, the smallest; it is the one that stores. Repetition may also be skewed: when lane bit 0 and
// register bit 0 are both worth (0,1), lane 0's register 1 and lane 1's register 0 hold the same,
// although no basis is zero. freeBits() finds both kinds, and withoutReplicas() divides them out.
// With k free bits each element that is held at all is in exactly 2^k places.
//
// 5. Then.  Let A be the layout of section 1 and S that of section 2. Which offset does each lane
// touch? From place to element, then from element to offset: A.then(S^-1). Register 0 of lane 2
// holds (1,0), which lies at offset 5; register 1 holds (1,1), at offset 4:
//
//     (lane: [2, 5, 10], register: [1]) -> (offset: 16)
//
// Lane 2 finds its pair swapped, so one access of two elements would not do: a swizzle that serves
// vectors of n elements leaves the lowest log2(n) bits of offsets alone. contiguousBits() reads
// that off the matrix: a register bit that is worth exactly one step, and nobody else touches the
// step.
//
// 6. Times.  outer * inner puts `inner` in place of each element of `outer`: the bits of `inner`
// become the lowest ones of each dim, the bits of `outer` come above. With A for a fragment and two
// more registers for its second copy, identity("register", "row", 2) * A holds 8x4 elements:
//
//     (lane: [(0,2), (1,0), (2,0)], register: [(0,1), (4,0)]) -> (row: 8, col: 4)
//
// Tiles are built like this: fragments within registers within simdgroups. The way back is
// dividedByInner() and dividedByOuter(), which say whether a layout is made of given fragments.
//
// 7. Names and order.  Dims are matched by name, so A.then(B) cannot mix up rows and columns. Their
// order matters only where several of them are counted through by one number (reshape, flatten,
// operator()): the last dim is fastest, as in a C array. We list in-dims from the outermost to the
// innermost: threadgroup, simdgroup, lane, register. A dim of size 1 is as good as none. What must
// be the same map whatever the order is compared by isSameMap(), what must be the same data by ==.
//
// 8. Changing places.  A value is in layout A and is needed in layout B. Where does each place
// fetch from? We look for a map X from places to places with "X, then A" = B: B.lift(A), one
// elimination. If an X leaves simdgroup and lane as they are, registers are renamed and no code is
// needed; if it leaves the simdgroup, lanes exchange registers; otherwise the values travel through
// threadgroup memory. Conversion.h decides that from the matrices, for all places at once.
//
// 9. Inverses of what has none.  pseudoInverse() is defined for every layout L: it takes an element
// y to the place x for which the number L(x) ^ y is smallest, and of these places to the smallest.
// So it is the inverse where there is one; it takes an element that is in several places to the one
// without free bits, and an element that is in none to where the nearest one is.
//
// 10. What linear layouts cannot say.
//   - Sizes that are no powers of two. Problems may have any size, tiles may not; a tile of 96
//     columns is three tiles of 32.
//   - Padding. In memory with a row stride of 5, (0,1) lies at offset 1 and (1,0) at 5, so (1,1)
//     would have to lie at 1 ^ 5 = 4; but it lies at 6. SharedLayout adds padding behind the linear
//     part.
//   - Shifts. A layout takes 0 to 0: tiles start at their own origin, wherever a view puts it.
//   - Rotation. If column c of row r were kept in column (c + r) % 4, then (1,0) would go to (1,1)
//     and (0,1) to itself, so (1,1) would have to go to (1,1) ^ (0,1) = (1,0); but it goes to
//     (1,2). The swizzle of section 2 does what rotations are used for.
//
// 11. And CuTe?  CuTe writes a layout as shape:stride and sums digit times stride. A in that
// spelling, to the index row + 4 * col, is ((2,4),2):((8,1),4). It covers any size, strides that
// are known only at run time, and padding, (4,4):(5,1). In return its composition and inverse exist
// under divisibility conditions only, one layout has many spellings, and a swizzle is something
// else that is put behind the layout, Swizzle<2,0,2>, after which there are no strides left to ask
// for. Here every step of the reasoning (is this conversion free, is this access a vector, do these
// lanes meet in a bank, is this the layout the hardware wants) is a question about one matrix.
// Spelling.h writes the CuTe form of layouts that have one.
#pragma once

#include "Layout/BitMatrix.h"
#include "Layout/LayoutSpace.h"

namespace metile {

class LinearLayout {
public:
  using Names = std::vector<std::string_view>;
  /// The bases of one in-dim, that of its lowest bit first; a vector has one coordinate an out-dim.
  struct Bases {
    std::string name;
    std::vector<std::vector<int64_t>> vectors;
  };

  /// The only map from one point to one point: the unit of operator*.
  LinearLayout() = default;
  /// Column i of `matrix` is the number of the point of `outs` that bit i of a number of `ins` is
  /// worth. Requires that they fit.
  LinearLayout(LayoutSpace ins, LayoutSpace outs, BitMatrix matrix);
  /// Names and sizes as in LayoutSpace::create(); every vector has a coordinate for each of `outs`,
  /// and it lies inside.
  static Result<LinearLayout> fromBases(std::span<const Bases> ins, const LayoutSpace &outs);
  /// The number of the point that one vector of `in` leads to; what fromBases() checks of it.
  static Result<uint64_t> readBasis(std::string_view in, const std::vector<int64_t> &vector,
                                    const LayoutSpace &outs);

  /// x -> x.
  static LinearLayout identity(std::string_view in, std::string_view out, int64_t size);
  /// x -> stride * x, into size * stride coordinates.
  static LinearLayout strided(std::string_view in, std::string_view out, int64_t size,
                              int64_t stride);
  /// All places hold the same element.
  static LinearLayout broadcast(std::string_view in, int64_t size);

  const LayoutSpace &ins() const { return inSpace; }
  const LayoutSpace &outs() const { return outSpace; }
  const BitMatrix &matrix() const { return bases; }

  /// From the number of a place to the number of an element.
  uint64_t operator()(uint64_t place) const { return bases(place); }
  /// The same in coordinates.
  std::vector<int64_t> at(const std::vector<int64_t> &place) const;

  // Dims under other names, in another order, cut in other ways. Names must exist and sizes fit.

  LinearLayout renameIn(std::string_view from, std::string_view to) const;
  LinearLayout renameOut(std::string_view from, std::string_view to) const;
  /// `names` are all in-dims (out-dims) in a new order.
  LinearLayout transposeIns(const Names &names) const;
  LinearLayout transposeOuts(const Names &names) const;
  /// The same numbers, cut into other dims: requires as many points.
  LinearLayout reshapeIns(const LayoutSpace &ins) const;
  LinearLayout reshapeOuts(const LayoutSpace &outs) const;
  /// One dim for all.
  LinearLayout flattenIns(std::string_view name) const;
  LinearLayout flattenOuts(std::string_view name) const;
  /// With `size` places along `in`: higher ones go, new ones repeat.
  LinearLayout resizeIn(std::string_view in, int64_t size) const;
  /// The places whose coordinate in other in-dims is 0, and of their elements the coordinates in
  /// `outNames`.
  LinearLayout restrict(const Names &inNames, const Names &outNames) const;
  /// (x, y) -> a(x) ^ b(y). The in-dims differ, the out-dims are the same.
  static LinearLayout joinIns(const LinearLayout &a, const LinearLayout &b);
  /// x -> (a(x), b(x)). The in-dims are the same, the out-dims differ.
  static LinearLayout joinOuts(const LinearLayout &a, const LinearLayout &b);

  // Algebra.

  /// First this, then `next`. An error unless each out-dim of this is an in-dim of `next`, and not
  /// larger.
  Result<LinearLayout> then(const LinearLayout &next) const;
  /// An error that names two places of one element, or an element without place, if there is none.
  Result<LinearLayout> inverse() const;
  /// See section 9 of the essay.
  LinearLayout pseudoInverse() const;
  /// The X with "X, then through" = this: of all of them the one with the smallest places. None if
  /// `through` lacks an element of this.
  std::optional<LinearLayout> lift(const LinearLayout &through) const;
  /// `outer` with `inner` in place of each element; dims that only `outer` has come first.
  friend LinearLayout operator*(const LinearLayout &outer, const LinearLayout &inner);
  /// The `outer` (`inner`) for which outer * inner is the same map as this, if there is one. It has
  /// all dims of this.
  std::optional<LinearLayout> dividedByInner(const LinearLayout &inner) const;
  std::optional<LinearLayout> dividedByOuter(const LinearLayout &outer) const;

  // Questions.

  unsigned rank() const { return Elimination(bases).rank(); }
  bool isInjective() const { return rank() == inSpace.bits(); }
  bool isSurjective() const { return rank() == outSpace.bits(); }
  bool isBijective() const { return isInjective() && isSurjective(); }
  /// Whether every place holds the element of its own number.
  bool isIdentity() const;
  /// Numbers whose XOR with a place leads to another place of the same element: a basis of all.
  std::vector<uint64_t> kernel() const { return Elimination(bases).kernel(); }
  /// As the number of a place: its free bits. See section 4 of the essay.
  uint64_t freeBits() const { return Elimination(bases).dependentColumns(); }
  /// Without the free bits, each element is in one place at most.
  LinearLayout withoutReplicas() const;

  /// Dims in alphabetical order, none of size 1.
  LinearLayout canonical() const;
  bool operator==(const LinearLayout &) const = default;
  /// Equal but for the order of dims and dims of size 1.
  bool isSameMap(const LinearLayout &other) const { return canonical() == other.canonical(); }
  /// Whether places that exist in both hold the same, and those of one only repeat these.
  bool isSameUpToBroadcast(const LinearLayout &other) const;

  /// The bits of `in` that make 2, 4, 8, … consecutive coordinates of `out`: bit i of the result is
  /// worth exactly 2^i, and no other basis has that part. So the 2^n places that differ in the
  /// first n of these bits hold 2^n consecutive elements, aligned, everywhere in the tile.
  std::vector<unsigned> contiguousBits(std::string_view in, std::string_view out) const;

private:
  LayoutSpace inSpace, outSpace;
  BitMatrix bases;
};

/// The map that takes bit i of each dim of `from` to bit i of the dim of that name in `to`, counted
/// above what `fromSkip` and `toSkip` have of it. Bits without a partner go to 0. All changes of
/// dims are products with such matrices.
BitMatrix linkByName(const LayoutSpace &from, const LayoutSpace &to,
                     const LayoutSpace &fromSkip = {}, const LayoutSpace &toSkip = {});

} // namespace metile
