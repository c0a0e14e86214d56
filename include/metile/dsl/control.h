// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches on traced values. Variables declared outside a body and assigned inside it
// carry their value from trip to trip and out of the body. Bodies are traced more than once, so
// they must not depend on C++ state that they change.
#pragma once

#include "metile/dsl/tile.h"

#include <type_traits>
#include <utility>

namespace metile {

/// The values lo, lo + step, … below hi.
///
///   for (Index k : range(0, n, 64))
///     sum = sum + x.load({k}, {64});
///
/// A body runs to its end: `break` and `return` are errors of the kernel.
class Range {
public:
  class End {};
  class Iterator {
  public:
    explicit Iterator(const Range &range);
    Iterator(const Iterator &) = delete;
    Iterator &operator=(const Iterator &) = delete;
    ~Iterator();
    Index operator*() const;
    Iterator &operator++();
    bool operator!=(End) const { return running; }

  private:
    uint32_t trace = 0, loop = 0;
    int exceptions = 0;
    bool running = false;
  };

  Range(Operand lo, Operand hi, Operand step, Loc at)
      : low(lo), high(hi), stride(step), place(at) {}
  Iterator begin() const { return Iterator(*this); }
  End end() const { return {}; }

  /// The loop as an expression: `state = body(Index, state)` for each index, starting at `init`.
  /// State may be a tile, a tuple or a struct of tiles.
  template <class State, class Body> State carry(State init, Body &&body) const {
    for (Index i : *this)
      init = body(i, init);
    return init;
  }

private:
  friend class Iterator;
  Operand low, high, stride;
  Loc place;
};

/// Bounds and step are integer scalars or C++ integers; the step is positive.
inline Range range(Operand hi, Loc at = Loc::current()) {
  return Range(Operand(0, at), hi, Operand(1, at), at);
}
inline Range range(Operand lo, Operand hi, Loc at = Loc::current()) {
  return Range(lo, hi, Operand(1, at), at);
}
inline Range range(Operand lo, Operand hi, Operand step, Loc at = Loc::current()) {
  return Range(lo, hi, step, at);
}

class If;

namespace detail {

/// One branch of an if_ while it is traced; leaves it however the body ends.
class Branch {
public:
  /// Opens the first branch of a new if.
  Branch(const Tile &condition, Loc at);
  /// Opens the other branch of the if that `first` belongs to.
  explicit Branch(const If &first, Loc at);
  ~Branch();
  Branch(const Branch &) = delete;
  Branch &operator=(const Branch &) = delete;
  /// False if this run of the kernel leaves the body out.
  bool traced() const { return open; }

private:
  friend class metile::If;
  uint32_t trace = 0, conditional = 0, frame = 0;
  bool open = false;
};

/// A while_ while it is traced.
class While {
public:
  explicit While(Loc at);
  ~While();
  While(const While &) = delete;
  While &operator=(const While &) = delete;
  bool nextTrip();
  void condition(const Tile &value);

private:
  uint32_t trace = 0, loop = 0;
  Loc place;
};

template <class F> constexpr void checkBody() {
  static_assert(std::is_void_v<std::invoke_result_t<F &>>,
                "a body returns nothing: `return` in it would leave only the lambda; assign to a "
                "tile declared outside");
}

} // namespace detail

/// What if_ returns; carries else_.
class [[maybe_unused]] If {
public:
  explicit If(const detail::Branch &first) : trace(first.trace), conditional(first.conditional) {}
  /// Traces `body` for the case that the condition is false.
  template <class F> void else_(F &&body, Loc at = Loc::current()) {
    detail::checkBody<F>();
    detail::Branch branch(*this, at);
    if (branch.traced())
      body();
  }

private:
  friend class detail::Branch;
  uint32_t trace, conditional;
};

/// `if_(c, [&] { … }).else_([&] { … })`: runs one body, by a bool scalar.
template <class F> If if_(const Tile &condition, F &&body, Loc at = Loc::current()) {
  detail::checkBody<F>();
  detail::Branch branch(condition, at);
  if (branch.traced())
    body();
  return If(branch);
}

/// `while_([&] { return condition; }, [&] { … })`: the condition is a bool scalar.
template <class C, class F> void while_(C &&condition, F &&body, Loc at = Loc::current()) {
  detail::checkBody<F>();
  for (detail::While loop(at); loop.nextTrip();) {
    loop.condition(condition());
    body();
  }
}

/// Ends this program where `condition` is true, also from a helper or a branch; not inside loops.
void return_if(const Tile &condition, Loc at = Loc::current());

namespace detail {
template <class F, class Member = decltype(&F::operator())> class Inlined {
  static_assert(sizeof(F) == 0, "a sub-kernel is a pure function: it cannot be mutable");
};

template <class F, class C, class R, class... P> class Inlined<F, R (C::*)(P...) const> {
public:
  explicit Inlined(F function) : body(std::move(function)) {}
  R operator()(P... arguments, Loc at = Loc::current()) const;

private:
  F body;
};

template <class F, class C, class R, class... P>
class Inlined<F, R (C::*)(P...) const noexcept> : public Inlined<F, R (C::*)(P...) const> {
  using Inlined<F, R (C::*)(P...) const>::Inlined;
};
} // namespace detail

/// A sub-kernel: a function whose call sites stand in the messages about its body. It returns a
/// tile, or several as a pair, tuple, array or struct.
///
///   auto rotate = inlined([](Tile x, Tile y, Tile angle) {
///     return std::pair{x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)};
///   });
///   auto [u, v] = rotate(x, y, 0.5f * t);
template <class F> auto inlined(F function) {
  static_assert(
      requires { &F::operator(); },
      "a sub-kernel is a lambda that names the types of its parameters: no auto");
  return detail::Inlined<F>(std::move(function));
}

/// Declared at the top of a helper, adds the helper's call site to the messages about its body:
///
///   Tile gelu(Tile x, Loc at = Loc::current()) {
///     Site here(at);
///     …
///   }
class [[maybe_unused]] Site {
public:
  explicit Site(Loc at);
  ~Site();
  Site(const Site &) = delete;
  Site &operator=(const Site &) = delete;

private:
  uint32_t trace = 0, depth = 0;
};

template <class F, class C, class R, class... P>
R detail::Inlined<F, R (C::*)(P...) const>::operator()(P... arguments, Loc at) const {
  Site here(at);
  return body(std::forward<P>(arguments)...);
}

} // namespace metile
