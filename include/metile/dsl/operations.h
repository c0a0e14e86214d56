// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the kernel language: grid, memory, shape, math, reductions, dot.
// Names equal Triton's where the operation is the same. Axes may be negative: -1 is the last.
// Functions that write memory return nothing.
#pragma once

#include "metile/dsl/tile.h"

#include <string_view>
#include <utility>

namespace metile {

// ---- grid ------------------------------------------------------------------------------------

/// Start of this program's tile along `axis` of `view`, in elements. Each call adds one axis to the
/// grid, as many programs as tiles of `block` elements cover the view; at most three. Axes are
/// numbered like the view's; the order in which programs run is the compiler's choice.
Index tile_of(const View &view, int axis, int64_t block, Loc at = Loc::current());
/// Declares the grid: number of programs along x, y, z, computed from sizes, scalars and constants.
/// Programs run in any order or at once.
void grid(Operand x, Loc at = Loc::current());
void grid(Operand x, Operand y, Loc at = Loc::current());
void grid(Operand x, Operand y, Operand z, Loc at = Loc::current());
/// This program's number along an axis of the grid (0 = x). Not with tile_of.
Index program_id(int axis, Loc at = Loc::current());
/// Extent of the grid along an axis. Not with tile_of.
Index num_programs(int axis, Loc at = Loc::current());

// ---- making tiles ----------------------------------------------------------------------------

/// A tile of one value; extents are powers of two. An empty shape makes a scalar.
Tile full(DType dtype, const Shape &shape, Operand value, Loc at = Loc::current());
Tile zeros(DType dtype, const Shape &shape, Loc at = Loc::current());
/// 0, 1, …, size - 1 as i64; or start, …, end - 1.
Tile arange(int64_t size, Loc at = Loc::current());
Tile arange(int64_t start, int64_t end, Loc at = Loc::current());

// ---- memory through pointers -----------------------------------------------------------------

/// Reads through a pointer or a tile of pointers. Where `mask` is false nothing is read and the
/// element is `other`, zero if none is given.
Tile load(const Tile &pointers, Loc at = Loc::current());
Tile load(const Tile &pointers, const Tile &mask, Loc at = Loc::current());
Tile load(const Tile &pointers, const Tile &mask, Operand other, Loc at = Loc::current());
/// Writes `value`, whose type must be the pointers', where `mask` is true.
void store(const Tile &pointers, Operand value, Loc at = Loc::current());
void store(const Tile &pointers, Operand value, const Tile &mask, Loc at = Loc::current());

// ---- atomics ---------------------------------------------------------------------------------

namespace detail {
OldValue atomic(AtomicOp op, const Tile &pointers, const Operand &value, const Tile *mask,
                sem order, Loc at);
} // namespace detail

// Each element is read, combined with that of `value` and written back, indivisibly. Where `mask`
// is false nothing is accessed and the old value is zero. `value` has the type of the memory.
// Elements with one address are combined one after the other, in any order.
#define METILE_ATOMIC(name, op)                                                                    \
  inline OldValue name(const Tile &pointers, Operand value, sem order = sem::acq_rel,              \
                       Loc at = Loc::current()) {                                                  \
    return detail::atomic(detail::AtomicOp::op, pointers, value, nullptr, order, at);              \
  }                                                                                                \
  inline OldValue name(const Tile &pointers, Operand value, const Tile &mask,                      \
                       sem order = sem::acq_rel, Loc at = Loc::current()) {                        \
    return detail::atomic(detail::AtomicOp::op, pointers, value, &mask, order, at);                \
  }
/// Integers wrap, floats round once.
METILE_ATOMIC(atomic_add, add)
/// NaN wins.
METILE_ATOMIC(atomic_max, max)
METILE_ATOMIC(atomic_min, min)
/// Of integers and bool.
METILE_ATOMIC(atomic_and, bitAnd)
METILE_ATOMIC(atomic_or, bitOr)
METILE_ATOMIC(atomic_xor, bitXor)
/// Writes `value` whatever was there.
METILE_ATOMIC(atomic_xchg, xchg)
#undef METILE_ATOMIC
/// Writes `desired` where the memory has the bits of `expected`.
OldValue atomic_cas(const Tile &pointers, Operand expected, Operand desired,
                    sem order = sem::acq_rel, Loc at = Loc::current());

// ---- shape -----------------------------------------------------------------------------------

/// Inserts an axis of extent 1 before `axis` (of the result).
Tile expand(const Tile &x, int axis, Loc at = Loc::current());
/// Repeats axes of extent 1, or a scalar, up to `shape`.
Tile broadcast_to(const Tile &x, const Shape &shape, Loc at = Loc::current());
/// The same elements in row-major order.
Tile reshape(const Tile &x, const Shape &shape, Loc at = Loc::current());
/// Exchanges the last two axes.
Tile transpose(const Tile &x, Loc at = Loc::current());
/// Axis `i` of the result is axis `axes[i]` of `x`.
Tile permute(const Tile &x, const std::vector<int> &axes, Loc at = Loc::current());
/// Both side by side along a new last axis of extent 2.
Tile join(const Tile &a, const Tile &b, Loc at = Loc::current());
/// The two halves along a last axis of extent 2.
std::pair<Tile, Tile> split(const Tile &x, Loc at = Loc::current());
/// Elements of `a` and `b` in turn along the last axis; two scalars make a tile of two elements.
Tile interleave(const Tile &a, const Tile &b, Loc at = Loc::current());
/// The order along an axis reversed.
Tile flip(const Tile &x, int axis, Loc at = Loc::current());
/// Element […, i, …] of the result is x[…, index[…, i, …], …] along `axis`; the other axes are
/// equal. An index that names no element gives zero.
Tile gather(const Tile &x, const Tile &index, int axis, Loc at = Loc::current());

// ---- elementwise -----------------------------------------------------------------------------

/// Converts the elements. Float to integer saturates and makes NaN 0; an integer wraps; floats
/// round to nearest even.
Tile cast(const Tile &x, DType to, Loc at = Loc::current());
/// The same bits as another type of the same width.
Tile bitcast(const Tile &x, DType to, Loc at = Loc::current());
/// `a` where `condition` is true, else `b`. Two C++ numbers make f32 or i32.
Tile where(const Tile &condition, Operand a, Operand b, Loc at = Loc::current());

#define METILE_UNARY_FUNCTION(name, op)                                                            \
  inline Tile name(const Tile &x, Loc at = Loc::current()) {                                       \
    return detail::unary(detail::UnaryOp::op, Operand(x, at));                                     \
  }
METILE_UNARY_FUNCTION(abs, abs)
METILE_UNARY_FUNCTION(floor, floor)
METILE_UNARY_FUNCTION(ceil, ceil)
METILE_UNARY_FUNCTION(exp, exp)
METILE_UNARY_FUNCTION(exp2, exp2)
METILE_UNARY_FUNCTION(log, log)
METILE_UNARY_FUNCTION(log2, log2)
METILE_UNARY_FUNCTION(sqrt, sqrt)
METILE_UNARY_FUNCTION(rsqrt, rsqrt)
METILE_UNARY_FUNCTION(tanh, tanh)
METILE_UNARY_FUNCTION(erf, erf)
/// 1 / (1 + exp(-x)).
METILE_UNARY_FUNCTION(sigmoid, sigmoid)
METILE_UNARY_FUNCTION(sin, sin)
METILE_UNARY_FUNCTION(cos, cos)
#undef METILE_UNARY_FUNCTION

#define METILE_BINARY_FUNCTION(name, op)                                                           \
  inline Tile name(const Tile &a, Operand b, Loc at = Loc::current()) {                            \
    return detail::binaryAt(detail::BinaryOp::op, Operand(a, at), b, nan::propagate, at);          \
  }                                                                                                \
  inline Tile name(detail::NumberOperand a, const Tile &b, Loc at = Loc::current()) {              \
    return detail::binaryAt(detail::BinaryOp::op, a, Operand(b, at), nan::propagate, at);          \
  }
/// Integer quotient rounded down, its remainder (with the divisor's sign), quotient rounded up. By
/// zero they are 0.
METILE_BINARY_FUNCTION(floor_div, floorDiv)
METILE_BINARY_FUNCTION(floor_mod, floorMod)
METILE_BINARY_FUNCTION(cdiv, cdiv)
/// Upper half of the product in twice the width; umulhi takes unsigned integers only.
METILE_BINARY_FUNCTION(mulhi, mulhi)
METILE_BINARY_FUNCTION(umulhi, umulhi)
#undef METILE_BINARY_FUNCTION
/// cdiv of host integers.
constexpr int64_t cdiv(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b + (a % b != 0 && (a < 0) == (b < 0));
}

#define METILE_EXTREMUM(name)                                                                      \
  inline Tile name(const Tile &a, Operand b, nan mode = nan::propagate, Loc at = Loc::current()) { \
    return detail::binaryAt(detail::BinaryOp::name, Operand(a, at), b, mode, at);                  \
  }                                                                                                \
  inline Tile name(detail::NumberOperand a, const Tile &b, nan mode = nan::propagate,              \
                   Loc at = Loc::current()) {                                                      \
    return detail::binaryAt(detail::BinaryOp::name, a, Operand(b, at), mode, at);                  \
  }
/// Elementwise.
METILE_EXTREMUM(maximum)
METILE_EXTREMUM(minimum)
#undef METILE_EXTREMUM
/// minimum(maximum(x, low), high).
Tile clamp(const Tile &x, Operand low, Operand high, Loc at = Loc::current());
/// a * b + c with one rounding.
Tile fma(Operand a, Operand b, Operand c, Loc at = Loc::current());

// ---- along an axis ---------------------------------------------------------------------------

/// Accumulates in the type of the result: f32 for f16, bf16 and f32; f64; i32 or u32 for narrower
/// integers and bool; i64, u64. The axis disappears.
Tile sum(const Tile &x, int axis, Loc at = Loc::current());
/// Keep the type of `x`.
Tile max(const Tile &x, int axis, nan mode = nan::propagate, Loc at = Loc::current());
Tile min(const Tile &x, int axis, nan mode = nan::propagate, Loc at = Loc::current());
/// Position of the extremum along the axis, as i64; of equal ones the lowest.
Tile argmax(const Tile &x, int axis, nan mode = nan::propagate, Loc at = Loc::current());
Tile argmin(const Tile &x, int axis, nan mode = nan::propagate, Loc at = Loc::current());

namespace detail {
Tile reduce(ReduceOp op, const Tile &x, int axis, nan mode, Loc at);

/// The combine region of a reduction or scan while it is traced. The state that it combines is a
/// tile or anything made of tiles; the tracer learns of which from a copy: the tiles made between
/// collect() and the step that follows are meant by it.
class Combine {
public:
  enum class Kind : uint8_t { reduce, scan, reverseScan };
  Combine(Kind kind, int axis, Loc at);
  ~Combine();
  Combine(const Combine &) = delete;
  void collect() const;
  void collect(const Tile &tile) const;
  /// Opens the region: the collected tiles are its sources and will get its results.
  void sources();
  bool nextTrip() const;
  /// The collected tiles get the elements met first, or those met later.
  void left() const;
  void right() const;
  /// The collected tiles are what the function returned.
  void yield();
  void results() const;

private:
  uint32_t trace = 0, frame = 0;
  ValueId op = 0;
  std::vector<uint32_t> slots; ///< Of the sources.
  Loc place;
  int axisGiven;
  Kind what;
};

template <class State> constexpr size_t tupleSize = 0;
template <class State>
  requires requires { std::tuple_size<State>::value; }
constexpr size_t tupleSize<State> = std::tuple_size_v<State>;

/// C++ libraries copy the elements of a tuple in different orders.
template <class State, size_t... I>
void collectInOrder(const Combine &region, const State &state, std::index_sequence<I...>) {
  if constexpr (sizeof...(I) > 0 &&
                (std::derived_from<std::tuple_element_t<I, State>, Tile> && ...)) {
    region.collect();
    (region.collect(get<I>(state)), ...);
  }
}

template <class State> void collectInOrder(const Combine &region, const State &state) {
  collectInOrder(region, state, std::make_index_sequence<tupleSize<State>>());
}

template <class State, class F>
State combine(Combine::Kind kind, const State &tiles, int axis, F &combiner, Loc at) {
  Combine region(kind, axis, at);
  region.collect();
  State result(tiles);
  collectInOrder(region, result);
  region.sources();
  while (region.nextTrip()) {
    region.collect();
    State a(tiles);
    collectInOrder(region, a);
    region.left();
    region.collect();
    State b(tiles);
    collectInOrder(region, b);
    region.right();
    const auto &combined = combiner(a, b);
    region.collect();
    State yielded(combined);
    collectInOrder(region, yielded);
    region.yield();
  }
  region.results();
  return result;
}

/// A pair, tuple, array or struct of tiles.
template <class T>
concept Tiles = !std::derived_from<T, Tile> && std::copy_constructible<T>;
} // namespace detail

/// Combines the elements along an axis with `combine(Tile a, Tile b) -> Tile` on scalars, which
/// must be associative and commutative. The result keeps the type of `x`.
template <class F> Tile reduce(const Tile &x, int axis, F &&combine, Loc at = Loc::current()) {
  return detail::combine(detail::Combine::Kind::reduce, x, axis, combine, at);
}
/// The same for several tiles of one shape at once, as a pair, tuple, array or struct `State`:
/// `combine(State a, State b) -> State`.
template <detail::Tiles State, class F>
State reduce(const State &tiles, int axis, F &&combine, Loc at = Loc::current()) {
  return detail::combine(detail::Combine::Kind::reduce, tiles, axis, combine, at);
}

/// Element i of the result combines elements 0 to i along the axis, with `reverse` those from the
/// last down to i. `combine(Tile a, Tile b) -> Tile` takes what was met earlier as `a`; it must be
/// associative. The result keeps the type of `x`.
template <class F>
Tile associative_scan(const Tile &x, int axis, F &&combine, bool reverse = false,
                      Loc at = Loc::current()) {
  using Kind = detail::Combine::Kind;
  return detail::combine(reverse ? Kind::reverseScan : Kind::scan, x, axis, combine, at);
}
template <detail::Tiles State, class F>
State associative_scan(const State &tiles, int axis, F &&combine, bool reverse = false,
                       Loc at = Loc::current()) {
  using Kind = detail::Combine::Kind;
  return detail::combine(reverse ? Kind::reverseScan : Kind::scan, tiles, axis, combine, at);
}
/// Running sum and product, in the type that sum has.
Tile cumsum(const Tile &x, int axis, bool reverse = false, Loc at = Loc::current());
Tile cumprod(const Tile &x, int axis, bool reverse = false, Loc at = Loc::current());

/// Ascending along the axis. Equal elements keep their order; NaN counts as larger than every
/// number.
Tile sort(const Tile &x, int axis = -1, bool descending = false, Loc at = Loc::current());
/// Where the elements of the sorted tile come from along the axis, as i64.
Tile argsort(const Tile &x, int axis = -1, bool descending = false, Loc at = Loc::current());
/// The `k` largest elements, the largest first; `k` is a power of two.
Tile topk(const Tile &x, int64_t k, int axis = -1, Loc at = Loc::current());
/// The same, and where they stand along the axis, as i64.
std::pair<Tile, Tile> topk_with_indices(const Tile &x, int64_t k, int axis = -1,
                                        Loc at = Loc::current());
/// How often each of the numbers 0 to `bins` - 1 occurs in a tile of integers, as i32[bins];
/// elements where `mask` is false and elements that name no bin are not counted.
Tile histogram(const Tile &x, int64_t bins, Loc at = Loc::current());
Tile histogram(const Tile &x, int64_t bins, const Tile &mask, Loc at = Loc::current());

/// acc + a · b for […, M, K] and […, K, N]; leading axes must be equal. f64 accumulates in f64, all
/// other floats in f32, i8 and u8 in i32. Without `acc` it starts at zero.
Tile dot(const Tile &a, const Tile &b, precision mode = precision::ieee, Loc at = Loc::current());
Tile dot(const Tile &a, const Tile &b, const Tile &acc, precision mode = precision::ieee,
         Loc at = Loc::current());

// An old value is no operand of functions either: give it a name first.
#define METILE_NO_OPERAND(name)                                                                    \
  template <class... T>                                                                            \
    requires(std::same_as<T, OldValue> || ...)                                                     \
  void name(const T &...) = delete;
METILE_NO_OPERAND(load)
METILE_NO_OPERAND(store)
METILE_NO_OPERAND(join)
METILE_NO_OPERAND(interleave)
METILE_NO_OPERAND(gather)
METILE_NO_OPERAND(where)
METILE_NO_OPERAND(histogram)
METILE_NO_OPERAND(dot)
#undef METILE_NO_OPERAND

// ---- seeing what a kernel computes -------------------------------------------------------------

namespace detail {
/// A text together with the place where it was written.
struct Text {
  template <std::convertible_to<std::string_view> T>
  Text(const T &words, Loc here = Loc::current()) : text(words), at(here) {}
  std::string_view text;
  Loc at;
};
void print(const Text &text, std::initializer_list<const Tile *> values);
} // namespace detail

/// Prints each value on the host, on a line with the program's ids and the text. Lines of one
/// program keep their order.
template <std::derived_from<Tile>... T> void print(detail::Text text, const T &...values) {
  detail::print(text, {&values...});
}
/// Fails the launch, with the message, the program's ids and the element, where `condition` is
/// false.
void device_assert(const Tile &condition, std::string_view message, Loc at = Loc::current());
/// Records the value under this name while the kernel is debugged; does nothing otherwise.
void probe(std::string_view name, const Tile &value, Loc at = Loc::current());

inline Tile Tile::sum(int axis, Loc at) const { return metile::sum(*this, axis, at); }
inline Tile Tile::max(int axis, nan mode, Loc at) const {
  return metile::max(*this, axis, mode, at);
}
inline Tile Tile::min(int axis, nan mode, Loc at) const {
  return metile::min(*this, axis, mode, at);
}
inline Tile Tile::argmax(int axis, nan mode, Loc at) const {
  return metile::argmax(*this, axis, mode, at);
}
inline Tile Tile::argmin(int axis, nan mode, Loc at) const {
  return metile::argmin(*this, axis, mode, at);
}
template <class F> Tile Tile::reduce(int axis, F &&combine, Loc at) const {
  return metile::reduce(*this, axis, std::forward<F>(combine), at);
}
inline Tile Tile::expand(int axis, Loc at) const { return metile::expand(*this, axis, at); }
inline Tile Tile::broadcast_to(const Shape &shape, Loc at) const {
  return metile::broadcast_to(*this, shape, at);
}
inline Tile Tile::reshape(const Shape &shape, Loc at) const {
  return metile::reshape(*this, shape, at);
}
inline Tile Tile::flip(int axis, Loc at) const { return metile::flip(*this, axis, at); }
inline Tile Tile::cumsum(int axis, bool reverse, Loc at) const {
  return metile::cumsum(*this, axis, reverse, at);
}
inline Tile Tile::cumprod(int axis, bool reverse, Loc at) const {
  return metile::cumprod(*this, axis, reverse, at);
}
inline Tile Tile::transpose(Loc at) const { return metile::transpose(*this, at); }
inline Tile Tile::permute(const std::vector<int> &axes, Loc at) const {
  return metile::permute(*this, axes, at);
}
inline Tile Tile::cast(DType to, Loc at) const { return metile::cast(*this, to, at); }

} // namespace metile
