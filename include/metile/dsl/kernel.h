// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of a kernel and kernel() itself. A Kernel is a value: name, parameters, constants and
// the body to trace. Knows nothing of how a body is traced or compiled.
#pragma once

#include "metile/artifact.h"
#include "metile/dsl/tile.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metile {

namespace detail {

/// A string as a template argument.
template <size_t N> struct FixedString {
  constexpr FixedString(const char (&text)[N]) {
    for (size_t i = 0; i < N; ++i)
      characters[i] = text[i];
  }
  char characters[N] = {};
};

enum class ParameterKind : uint8_t { in, out, inout, pointer, scalar, constant, option };

/// A parameter as the signature states it.
struct ParameterSpec {
  const char *name;
  ParameterKind kind;
  const int64_t *values = nullptr;
  size_t numValues = 0;
};

/// What a parameter is in the running trace.
struct Binding {
  uint32_t trace = 0;
  ValueId value = 0;    ///< Of an argument.
  int64_t constant = 0; ///< Of a constant or option.
};

/// The function object of a kernel, shared by the kernel's copies. (std::shared_ptr would double
/// the time that this header takes to compile.)
class Body {
public:
  using Invoke = void (*)(const void *object, const Binding *bindings);

  Body() = default;
  /// Takes over `object`, which `destroy` deletes.
  Body(const void *object, Invoke invoke, void (*destroy)(const void *));
  Body(const Body &other);
  Body &operator=(Body other);
  ~Body();
  void operator()(const Binding *bindings) const;

private:
  struct Shared;
  Shared *shared = nullptr;
};

template <auto Name, ParameterKind Kind> struct ArgumentSpecOf {
  static constexpr ParameterSpec spec{Name.characters, Kind};
};
template <auto Name, ParameterKind Kind, int64_t... Values> struct ConstantSpecOf {
  static constexpr int64_t values[] = {Values...};
  static constexpr ParameterSpec spec{Name.characters, Kind, values, sizeof...(Values)};
};

} // namespace detail

/// A view that is only read.
template <detail::FixedString Name> class In : public View {
public:
  using Spec = detail::ArgumentSpecOf<Name, detail::ParameterKind::in>;
  explicit In(const detail::Binding &binding) : View(binding) {}
};
/// A view that is only written.
template <detail::FixedString Name> class Out : public View {
public:
  using Spec = detail::ArgumentSpecOf<Name, detail::ParameterKind::out>;
  explicit Out(const detail::Binding &binding) : View(binding) {}
};
/// A view that is read and written; may overlap other InOut and Ptr arguments.
template <detail::FixedString Name> class InOut : public View {
public:
  using Spec = detail::ArgumentSpecOf<Name, detail::ParameterKind::inout>;
  explicit InOut(const detail::Binding &binding) : View(binding) {}
};
/// The address of an element, without sizes; `x + i` counts in elements.
template <detail::FixedString Name> class Ptr : public Tile {
public:
  using Spec = detail::ArgumentSpecOf<Name, detail::ParameterKind::pointer>;
  explicit Ptr(const detail::Binding &binding) : Tile(binding) {}
};
/// A number given at the launch. Its type is chosen when the kernel is compiled.
template <detail::FixedString Name> class Scalar : public Tile {
public:
  using Spec = detail::ArgumentSpecOf<Name, detail::ParameterKind::scalar>;
  explicit Scalar(const detail::Binding &binding) : Tile(binding) {}
};
/// A host integer that the schedule or the planner chooses among `Values`; all give one result.
template <detail::FixedString Name, int64_t... Values> class Const : public ConstBase {
  static_assert(sizeof...(Values) > 0, "a Const lists its legal values: Const<\"BLOCK\", 64, 128>");

public:
  using Spec = detail::ConstantSpecOf<Name, detail::ParameterKind::constant, Values...>;
  constexpr explicit Const(const detail::Binding &binding) : ConstBase(binding.constant) {}
};
/// A host integer that the caller chooses among `Values` because it changes the result; the first
/// is the default.
template <detail::FixedString Name, int64_t... Values> class Option : public ConstBase {
  static_assert(sizeof...(Values) > 0,
                "an Option lists its legal values: Option<\"CAUSAL\", 0, 1>");

public:
  using Spec = detail::ConstantSpecOf<Name, detail::ParameterKind::option, Values...>;
  constexpr explicit Option(const detail::Binding &binding) : ConstBase(binding.constant) {}
};

/// How far the compiler may change floating-point results.
enum class Math : uint8_t {
  standard, ///< a * b + c may round once; nothing else is changed.
  strict,   ///< Every operation rounds.
  fast,     ///< Reassociation, approximate functions, no care for NaN and infinities.
};

/// A kernel: a name, typed parameters and a body that is traced for each choice of types and
/// constants. Cheap to copy.
class Kernel {
public:
  struct Parameter {
    std::string name;
    ArgumentRole role = ArgumentRole::in;
  };
  struct Constant {
    std::string name;
    std::vector<int64_t> values; ///< Legal values; of an option the first is the default.
    bool isOption = false;
  };

  const std::string &name() const { return kernelName; }
  /// Buffers and scalars in the order of the signature, which is the order of a launch.
  const std::vector<Parameter> &parameters() const { return argumentList; }
  /// Constants and options in the order of the signature.
  const std::vector<Constant> &constants() const { return constantList; }
  /// Where kernel() was called.
  const Location &definition() const { return place; }
  Math math() const { return mathMode; }
  /// The same kernel under another rule for floating point.
  Kernel with(Math mode) const {
    Kernel copy = *this;
    copy.mathMode = mode;
    return copy;
  }

private:
  friend struct detail::Access;
  Kernel() = default;
  std::string kernelName;
  std::vector<Parameter> argumentList;
  std::vector<Constant> constantList;
  /// For each parameter of the signature: whether it is a constant, and its place in its list.
  std::vector<std::pair<bool, uint32_t>> signature;
  Location place;
  Math mathMode = Math::standard;
  detail::Body body;
};

/// The kernels of a program or library, for tools.
using KernelList = std::vector<Kernel>;

namespace detail {

Kernel makeKernel(std::string_view name, std::span<const ParameterSpec> parameters, Body body,
                  Loc at);

template <class... P> struct Parameters {
  static constexpr size_t count = sizeof...(P);
  static constexpr ParameterSpec specs[count + 1] = {P::Spec::spec..., {"", ParameterKind::in}};

  template <class F> static void invoke(const void *body, const Binding *bindings) {
    call(*static_cast<const F *>(body), bindings, std::index_sequence_for<P...>());
  }
  template <class F, size_t... I>
  static void call(const F &body, [[maybe_unused]] const Binding *bindings,
                   std::index_sequence<I...>) {
    body(P(bindings[I])...);
  }
};

template <class F> struct Signature : Signature<decltype(&F::operator())> {};
template <class C, class R, class... P> struct Signature<R (C::*)(P...) const> {
  static_assert(std::is_void_v<R>, "the body of a kernel returns nothing; results go to views");
  using Type = Parameters<std::remove_cvref_t<P>...>;
};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const noexcept> : Signature<R (C::*)(P...) const> {};
template <class C, class R, class... P> struct Signature<R (C::*)(P...)> {
  static_assert(sizeof(C) == 0, "the body of a kernel is a pure function: it cannot be mutable");
};
template <class R, class... P>
struct Signature<R (*)(P...)> : Signature<R (Kernel::*)(P...) const> {};
template <class R, class... P>
struct Signature<R (*)(P...) noexcept> : Signature<R (Kernel::*)(P...) const> {};

} // namespace detail

/// Makes a kernel. `body` is a function of In, Out, InOut, Ptr, Scalar, Const and Option
/// parameters; it may be called any number of times, so it must be a pure function of them.
template <class F> Kernel kernel(std::string_view name, F body, Loc at = Loc::current()) {
  using Signature = typename detail::Signature<F>::Type;
  return detail::makeKernel(name, std::span(Signature::specs, Signature::count),
                            detail::Body(new const F(std::move(body)),
                                         &Signature::template invoke<F>,
                                         [](const void *f) { delete static_cast<const F *>(f); }),
                            at);
}

} // namespace metile
