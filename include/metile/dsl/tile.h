// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile, Index and View: the values a kernel body computes with, and their operators.
// A Tile is a variable of the traced program: copying it copies the value, assigning it assigns.
// Knows nothing of control flow or of kernels.
#pragma once

#include "metile/dtype.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

namespace metile {

using Loc = std::source_location;

class Tile;
class Index;
class View;

/// What max, min, argmax, argmin, maximum and minimum do with a NaN.
enum class nan : uint8_t {
  propagate, ///< The result is NaN.
  ignore,    ///< The other operand wins (IEEE maxNum, minNum).
};

/// How exact a dot of f32 tiles is.
enum class precision : uint8_t {
  ieee, ///< f32 products.
  tf32, ///< Operands may be rounded to 10 fraction bits.
};

/// Which other accesses an atomic one orders, as all programs of the launch see them.
enum class sem : uint8_t {
  relaxed, ///< None.
  acquire, ///< Later ones stay after it.
  release, ///< Earlier ones stay before it.
  acq_rel, ///< Both.
};

namespace detail {

/// Names a value of the running trace.
using ValueId = uint32_t;

template <class T>
concept Number = std::is_arithmetic_v<T>;

enum class UnaryOp : uint8_t {
  negate,
  bitNot,
  logicalNot,
  abs,
  floor,
  ceil,
  exp,
  exp2,
  log,
  log2,
  sqrt,
  rsqrt,
  tanh,
  erf,
  sigmoid,
  sin,
  cos
};
enum class BinaryOp : uint8_t {
  add,
  sub,
  mul,
  div,
  rem,
  bitAnd,
  bitOr,
  bitXor,
  logicalAnd,
  logicalOr,
  shl,
  shr,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  maximum,
  minimum,
  floorDiv,
  floorMod,
  cdiv,
  mulhi,
  umulhi
};
enum class ReduceOp : uint8_t { sum, max, min, argmax, argmin };
enum class AtomicOp : uint8_t { add, max, min, bitAnd, bitOr, bitXor, xchg };

struct Access;
struct Binding;

/// A variable of the traced program; tiles, indices, pointers and scalars all have one.
struct Slot {
  uint32_t trace = 0;
  uint32_t id = 0;
};

} // namespace detail

/// Base of Const and Option: a host integer known while the body is traced.
class ConstBase {
public:
  constexpr operator int64_t() const { return number; }

protected:
  constexpr explicit ConstBase(int64_t value) : number(value) {}

private:
  int64_t number;
};

/// A tile or a C++ number as an operand, together with the place where it was written. A number
/// takes the element type of the tile it meets.
class Operand {
public:
  Operand(const Tile &tile, Loc at = Loc::current());
  Operand(const ConstBase &number, Loc at = Loc::current()) : Operand(int64_t(number), at) {}
  template <detail::Number T>
  Operand(T number, Loc at = Loc::current())
      : realValue(static_cast<double>(number)), place(at),
        kind(std::is_same_v<T, bool>       ? Kind::truth
             : std::is_floating_point_v<T> ? Kind::real
             : std::is_signed_v<T>         ? Kind::integer
                                           : Kind::unsignedInteger) {
    if constexpr (!std::is_floating_point_v<T>)
      integerValue = static_cast<int64_t>(number);
  }

private:
  friend struct detail::Access;
  enum class Kind : uint8_t { tile, truth, integer, unsignedInteger, real };
  double realValue = 0;
  int64_t integerValue = 0;
  Loc place;
  uint32_t trace = 0;
  detail::ValueId tileValue = 0;
  Kind kind = Kind::tile;
};

namespace detail {

/// Operand restricted to tiles and to numbers: with these, arithmetic between two host numbers
/// stays C++ arithmetic.
struct TileOperand : Operand {
  TileOperand(const Tile &tile, Loc at = Loc::current()) : Operand(tile, at) {}
};
struct NumberOperand : Operand {
  template <Number T> NumberOperand(T number, Loc at = Loc::current()) : Operand(number, at) {}
  NumberOperand(const ConstBase &number, Loc at = Loc::current()) : Operand(number, at) {}
};

/// A host integer, as an extent of a shape.
struct Extent {
  template <std::integral T> constexpr Extent(T extent) : value(static_cast<int64_t>(extent)) {}
  constexpr Extent(const ConstBase &extent) : value(extent) {}
  int64_t value;
};

} // namespace detail

/// Extents of a tile, host integers known while tracing: `{BLOCK_M, 64}`; `{}` is a scalar.
class Shape {
public:
  Shape() = default;
  Shape(std::initializer_list<detail::Extent> list) {
    for (detail::Extent e : list)
      extents.push_back(e.value);
  }
  Shape(std::vector<int64_t> values) : extents(std::move(values)) {}

  const std::vector<int64_t> &values() const { return extents; }

private:
  std::vector<int64_t> extents;
};

/// Positions along the axes of a view, in elements: `{m, 0}`.
class Offsets {
public:
  Offsets() = default;
  Offsets(std::initializer_list<Operand> list) : operands(list) {}

  const std::vector<Operand> &values() const { return operands; }

private:
  std::vector<Operand> operands;
};

/// A tile of numbers or pointers, or a scalar if its rank is 0. Its type and shape are known while
/// the body is traced; its elements are not.
class Tile {
public:
  /// A variable without a value; reading it before an assignment is an error of the kernel.
  Tile();
  Tile(const Tile &other);
  Tile(Tile &&other) : Tile(static_cast<const Tile &>(other)) {}
  Tile &operator=(const Tile &other);
  Tile &operator=(Tile &&other) { return *this = static_cast<const Tile &>(other); }
  void operator=(const Tile &) const = delete; // a body must capture tiles by reference: write [&]
  ~Tile();

  explicit operator bool() const = delete; // not known while tracing: use if_, while_ or where

  /// Element type; of a tile of pointers, the type they point to.
  DType dtype() const;
  uint32_t rank() const;
  std::vector<int64_t> shape() const;
  /// Extent along `axis`.
  int64_t size(int axis, Loc at = Loc::current()) const;

  Tile &operator+=(Operand other);
  Tile &operator-=(Operand other);
  Tile &operator*=(Operand other);
  Tile &operator/=(Operand other);
  Tile &operator%=(Operand other);
  Tile &operator&=(Operand other);
  Tile &operator|=(Operand other);
  Tile &operator^=(Operand other);
  Tile &operator<<=(Operand other);
  Tile &operator>>=(Operand other);

  // The functions of the same names in operations.h, as members.
  Tile sum(int axis, Loc at = Loc::current()) const;
  Tile max(int axis, nan mode = nan::propagate, Loc at = Loc::current()) const;
  Tile min(int axis, nan mode = nan::propagate, Loc at = Loc::current()) const;
  Tile argmax(int axis, nan mode = nan::propagate, Loc at = Loc::current()) const;
  Tile argmin(int axis, nan mode = nan::propagate, Loc at = Loc::current()) const;
  template <class Combine> Tile reduce(int axis, Combine &&combine, Loc at = Loc::current()) const;
  Tile expand(int axis, Loc at = Loc::current()) const;
  Tile broadcast_to(const Shape &shape, Loc at = Loc::current()) const;
  Tile reshape(const Shape &shape, Loc at = Loc::current()) const;
  Tile flip(int axis, Loc at = Loc::current()) const;
  Tile cumsum(int axis, bool reverse = false, Loc at = Loc::current()) const;
  Tile cumprod(int axis, bool reverse = false, Loc at = Loc::current()) const;
  Tile transpose(Loc at = Loc::current()) const;
  Tile permute(const std::vector<int> &axes, Loc at = Loc::current()) const;
  Tile cast(DType to, Loc at = Loc::current()) const;

protected:
  explicit Tile(const detail::Binding &binding);

private:
  friend struct detail::Access;
  friend class Operand;
  detail::Slot slot;
};

/// An i64 scalar. Any integer scalar converts to it.
class [[maybe_unused]] Index : public Tile {
public:
  Index() = default;
  Index(const Tile &tile, Loc at = Loc::current());
  template <std::integral T> Index(T value, Loc at = Loc::current()) : Index(Operand(value, at)) {}
  Index(const ConstBase &value, Loc at = Loc::current()) : Index(Operand(value, at)) {}
  Index(const Index &) = default;
  Index(Index &&) = default;
  Index &operator=(const Index &) = default;
  Index &operator=(Index &&) = default;
  void
  operator=(const Index &) const = delete; // a body must capture indices by reference: write [&]

  Index &operator+=(Operand other);
  Index &operator-=(Operand other);
  Index &operator*=(Operand other);
  Index &operator/=(Operand other);
  Index &operator%=(Operand other);

private:
  explicit Index(const Operand &value);
};

/// What memory held before an atomic operation. It becomes a tile by being given a name:
///
///   Tile old = atomic_add(counter, 1);
///
/// C++ leaves open which operand of an expression is evaluated first, so an operation that writes
/// memory is no operand.
class OldValue {
public:
  operator Tile() const;
  operator Index() const;

private:
  friend struct detail::Access;
  OldValue(uint32_t ofTrace, detail::ValueId id, Loc at) : place(at), trace(ofTrace), value(id) {}
  Loc place;
  uint32_t trace;
  detail::ValueId value;
};

/// A strided view of an argument's memory. Loads and stores know its sizes: what lies outside is
/// filled or clipped. A view is not a variable and cannot be assigned.
class View {
public:
  View(const View &) = default;
  View &operator=(const View &) = delete; // a view names memory: make a new one with at()

  DType dtype() const;
  uint32_t rank() const;
  /// Number of elements along `axis`.
  Index size(int axis, Loc at = Loc::current()) const;
  /// Distance of neighbours along `axis`, in elements.
  Index stride(int axis, Loc at = Loc::current()) const;
  /// The size as a host integer. The code compiled from this trace serves that size only.
  int64_t fixed_size(int axis, Loc at = Loc::current()) const;

  /// The tile of `shape` that starts at `offsets`; elements outside the view are zero.
  Tile load(const Offsets &offsets, const Shape &shape, Loc at = Loc::current()) const;
  /// The same; elements outside the view equal `fill`.
  Tile load(const Offsets &offsets, const Shape &shape, Operand fill,
            Loc at = Loc::current()) const;
  /// One element, as a scalar; one offset an axis.
  Tile load(const Offsets &offsets, Loc at = Loc::current()) const;
  /// Writes `value`, whose type must be the view's, at `offsets`; parts outside are dropped. A
  /// scalar writes one element.
  void store(const Offsets &offsets, Operand value, Loc at = Loc::current()) const;

  /// The atomic operations of operations.h on the elements at `offsets`; parts of `value` outside
  /// the view are dropped, and the old value there is zero. A scalar is for one element. The view
  /// is an InOut.
  OldValue atomic_add(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                      Loc at = Loc::current()) const;
  OldValue atomic_max(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                      Loc at = Loc::current()) const;
  OldValue atomic_min(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                      Loc at = Loc::current()) const;
  OldValue atomic_and(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                      Loc at = Loc::current()) const;
  OldValue atomic_or(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                     Loc at = Loc::current()) const;
  OldValue atomic_xor(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                      Loc at = Loc::current()) const;
  OldValue atomic_xchg(const Offsets &offsets, Operand value, sem order = sem::acq_rel,
                       Loc at = Loc::current()) const;
  OldValue atomic_cas(const Offsets &offsets, Operand expected, Operand desired,
                      sem order = sem::acq_rel, Loc at = Loc::current()) const;

  /// The view that remains when the leading axes are fixed; empty if an index lies outside.
  View at(const Offsets &indices, Loc at = Loc::current()) const;
  /// Axis `i` of the result is axis `axes[i]` of this view; no data moves.
  View permute(const std::vector<int> &axes, Loc at = Loc::current()) const;
  /// The last two axes exchanged; no data moves.
  View transpose(Loc at = Loc::current()) const;

protected:
  explicit View(const detail::Binding &binding);

private:
  friend struct detail::Access;
  View(uint32_t ofTrace, detail::ValueId id) : trace(ofTrace), value(id) {}
  uint32_t trace = 0;
  detail::ValueId value = 0;
};

namespace detail {

Tile unary(UnaryOp op, const Operand &operand, nan mode = nan::propagate);
Tile binary(BinaryOp op, const Operand &lhs, const Operand &rhs, nan mode = nan::propagate);
Tile binaryAt(BinaryOp op, const Operand &lhs, const Operand &rhs, nan mode, Loc at);
/// `&&` and `||` need exact parameter types, which leave no room for a location.
Tile logical(BinaryOp op, const Tile &lhs, const Tile &rhs);
Tile logicalNot(const Tile &operand);

} // namespace detail

// Arithmetic, elementwise. Two integers give the wider type (signed with unsigned of one width is
// an error), two floats f32 (f64 if one is), integer and float the float. A scalar goes with any
// shape; otherwise ranks must be equal and extents equal or 1.
#define METILE_BINARY_OPERATOR(symbol, op)                                                         \
  inline Tile operator symbol(detail::TileOperand lhs, detail::TileOperand rhs) {                  \
    return detail::binary(detail::BinaryOp::op, lhs, rhs);                                         \
  }                                                                                                \
  inline Tile operator symbol(detail::TileOperand lhs, detail::NumberOperand rhs) {                \
    return detail::binary(detail::BinaryOp::op, lhs, rhs);                                         \
  }                                                                                                \
  inline Tile operator symbol(detail::NumberOperand lhs, detail::TileOperand rhs) {                \
    return detail::binary(detail::BinaryOp::op, lhs, rhs);                                         \
  }
METILE_BINARY_OPERATOR(+, add)
METILE_BINARY_OPERATOR(-, sub)
METILE_BINARY_OPERATOR(*, mul)
/// Of integers: truncates toward zero; by zero it is 0.
METILE_BINARY_OPERATOR(/, div)
METILE_BINARY_OPERATOR(%, rem)
METILE_BINARY_OPERATOR(&, bitAnd)
METILE_BINARY_OPERATOR(|, bitOr)
METILE_BINARY_OPERATOR(^, bitXor)
/// By the width or more: 0, or the sign.
METILE_BINARY_OPERATOR(<<, shl)
METILE_BINARY_OPERATOR(>>, shr)
METILE_BINARY_OPERATOR(==, eq)
METILE_BINARY_OPERATOR(!=, ne)
METILE_BINARY_OPERATOR(<, lt)
METILE_BINARY_OPERATOR(<=, le)
METILE_BINARY_OPERATOR(>, gt)
METILE_BINARY_OPERATOR(>=, ge)
#undef METILE_BINARY_OPERATOR

namespace detail {
template <class A, class B>
concept WithOldValue = std::same_as<A, OldValue> || std::same_as<B, OldValue>;
}
// An old value is no operand: give it a name first, `Tile old = atomic_add(…);`
#define METILE_NO_OPERAND(symbol)                                                                  \
  template <class A, class B>                                                                      \
    requires detail::WithOldValue<A, B>                                                            \
  void operator symbol(const A &, const B &) = delete;
METILE_NO_OPERAND(+)
METILE_NO_OPERAND(-)
METILE_NO_OPERAND(*)
METILE_NO_OPERAND(/)
METILE_NO_OPERAND(%)
METILE_NO_OPERAND(&)
METILE_NO_OPERAND(|)
METILE_NO_OPERAND(^)
METILE_NO_OPERAND(&&)
METILE_NO_OPERAND(||)
METILE_NO_OPERAND(==)
METILE_NO_OPERAND(!=)
METILE_NO_OPERAND(<)
METILE_NO_OPERAND(<=)
METILE_NO_OPERAND(>)
METILE_NO_OPERAND(>=)
#undef METILE_NO_OPERAND

/// Elementwise on bool tiles; both sides are always evaluated.
inline Tile operator&&(const Tile &lhs, const Tile &rhs) {
  return detail::logical(detail::BinaryOp::logicalAnd, lhs, rhs);
}
inline Tile operator||(const Tile &lhs, const Tile &rhs) {
  return detail::logical(detail::BinaryOp::logicalOr, lhs, rhs);
}
inline Tile operator!(const Tile &operand) { return detail::logicalNot(operand); }
inline Tile operator-(detail::TileOperand operand) {
  return detail::unary(detail::UnaryOp::negate, operand);
}
inline Tile operator~(detail::TileOperand operand) {
  return detail::unary(detail::UnaryOp::bitNot, operand);
}

inline Tile &Tile::operator+=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::add, *this, o);
}
inline Tile &Tile::operator-=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::sub, *this, o);
}
inline Tile &Tile::operator*=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::mul, *this, o);
}
inline Tile &Tile::operator/=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::div, *this, o);
}
inline Tile &Tile::operator%=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::rem, *this, o);
}
inline Tile &Tile::operator&=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::bitAnd, *this, o);
}
inline Tile &Tile::operator|=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::bitOr, *this, o);
}
inline Tile &Tile::operator^=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::bitXor, *this, o);
}
inline Tile &Tile::operator<<=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::shl, *this, o);
}
inline Tile &Tile::operator>>=(Operand o) {
  return *this = detail::binary(detail::BinaryOp::shr, *this, o);
}

} // namespace metile
