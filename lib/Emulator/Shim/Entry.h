// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way into a kernel: binds a function's parameters to buffers, threadgroup memory and the ids
// of a thread, by the attributes that the rewriter took from the text, and runs the threads of a
// group.
#pragma once

#include "Matrix.h"
#include "SimdgroupMatrix.h"

namespace metile::emulator {

//===--- Bindings ---===//

inline constexpr int implicitIndex = -1; ///< The lowest index that no other parameter has.
inline constexpr int notBound = -2;      ///< Its function constant is false.

/// What stands in the attribute of a parameter.
template <ParameterKind Kind, int Index> struct BoundTo {
  static constexpr ParameterKind kind = Kind;
  static constexpr int index = Index;
};
template <int Index, bool Present = true>
using Buffer = BoundTo<ParameterKind::buffer, Present ? Index : notBound>;
template <int Index, bool Present = true>
using ThreadgroupMemory = BoundTo<ParameterKind::threadgroupMemory, Present ? Index : notBound>;
template <int Index, bool Present = true>
using Texture = BoundTo<ParameterKind::texture, Present ? Index : notBound>;
using Unsupported = BoundTo<ParameterKind::unsupported, 0>;

/// A thread and its place; made anew for each.
struct Thread {
  const Group &group;
  unsigned index;
  Extent place;

  METILE_SHIM explicit Thread(const Group &g) : group(g), index(g.current), place{index, 0, 0} {
    if (g.extent.y != 1 || g.extent.z != 1)
      place = {index % g.extent.x, index / g.extent.x % g.extent.y,
               index / (g.extent.x * g.extent.y)};
  }
};

/// A built-in value; `get` computes it.
template <auto Get> struct Builtin {
  static constexpr ParameterKind kind = ParameterKind::builtin;
  static constexpr int index = 0;
  static constexpr auto get = Get;
};
#define METILE_BUILTIN(name, expression)                                                           \
  using name = Builtin<[](const Thread &t) {                                                       \
    const Group &g = t.group;                                                                      \
    (void)g;                                                                                       \
    return expression;                                                                             \
  }>;
namespace builtins {
METILE_BUILTIN(thread_position_in_grid, (Extent{g.position.x * g.fullExtent.x + t.place.x,
                                                g.position.y * g.fullExtent.y + t.place.y,
                                                g.position.z * g.fullExtent.z + t.place.z}))
METILE_BUILTIN(thread_position_in_threadgroup, t.place)
METILE_BUILTIN(thread_index_in_threadgroup, t.index)
METILE_BUILTIN(threadgroup_position_in_grid, g.position)
METILE_BUILTIN(threadgroups_per_grid, g.groups)
METILE_BUILTIN(threads_per_grid, g.gridThreads)
METILE_BUILTIN(threads_per_threadgroup, g.extent)
METILE_BUILTIN(dispatch_threads_per_threadgroup, g.fullExtent)
METILE_BUILTIN(grid_size, g.gridThreads)
METILE_BUILTIN(grid_origin, (Extent{0, 0, 0}))
METILE_BUILTIN(thread_index_in_simdgroup, t.index % simdWidth)
METILE_BUILTIN(simdgroup_index_in_threadgroup, t.index / simdWidth)
METILE_BUILTIN(simdgroups_per_threadgroup, (g.threads + simdWidth - 1) / simdWidth)
METILE_BUILTIN(dispatch_simdgroups_per_threadgroup,
               (g.fullExtent.x * g.fullExtent.y * g.fullExtent.z + simdWidth - 1) / simdWidth)
METILE_BUILTIN(threads_per_simdgroup, simdWidth)
METILE_BUILTIN(thread_execution_width, simdWidth)
METILE_BUILTIN(thread_index_in_quadgroup, t.index % 4)
METILE_BUILTIN(quadgroup_index_in_threadgroup, t.index / 4)
METILE_BUILTIN(quadgroups_per_threadgroup, (g.threads + 3) / 4)
METILE_BUILTIN(dispatch_quadgroups_per_threadgroup,
               (g.fullExtent.x * g.fullExtent.y * g.fullExtent.z + 3) / 4)
} // namespace builtins
#undef METILE_BUILTIN

template <class P> METILE_SHIM P fromBuiltin(unsigned value) { return static_cast<P>(value); }
template <class P> METILE_SHIM P fromBuiltin(const Extent &value) {
  if constexpr (lanesOf<P> == 1)
    return static_cast<P>(value.x);
  else if constexpr (lanesOf<P> == 2)
    return P(value.x, value.y);
  else
    return P(value.x, value.y, value.z);
}

template <class P, class Binding, int Index> METILE_SHIM P bind(const Thread &thread) {
  if constexpr (Binding::kind == ParameterKind::builtin) {
    return fromBuiltin<metal::remove_cvref_t<P>>(Binding::get(thread));
  } else {
    void *memory = Index < 0 ? nullptr
                   : Binding::kind == ParameterKind::buffer
                       ? thread.group.buffers[Index]
                       : thread.group.threadgroupBuffers[Index];
    if constexpr (metal::is_pointer_v<metal::remove_cv_t<P>>)
      return (P)memory;
    else
      return *static_cast<metal::remove_reference_t<P> *>(memory);
  }
}

//===--- Descriptions ---===//

template <class T> struct LaneType {
  using type = T;
};
template <class T, int N> struct LaneType<metal::vec<T, N>> {
  using type = T;
};
template <class T, int N> struct LaneType<metal::packed_vec<T, N>> {
  using type = T;
};
template <class T> struct LaneType<metal::atomic<T>> {
  using type = T;
};

template <class T> constexpr ScalarKind scalarKind() {
  if constexpr (metal::is_same_v<T, bool>)
    return ScalarKind::boolean;
  else if constexpr (metal::is_same_v<T, bfloat>)
    return ScalarKind::bfloat;
  else if constexpr (metal::is_floating_point_v<T>)
    return ScalarKind::floating;
  else if constexpr (metal::is_integral_v<T>)
    return metal::is_signed_v<T> ? ScalarKind::signedInteger : ScalarKind::unsignedInteger;
  else
    return ScalarKind::none;
}

/// What is known of a parameter from its type.
template <class P, class Binding>
constexpr Parameter describe(const char *name, const char *attribute, int index, Site site) {
  Parameter parameter{};
  parameter.name = name;
  parameter.attribute = attribute;
  parameter.kind = Binding::kind;
  parameter.index = index < 0 ? -1 : index;
  parameter.site = site;
  if constexpr (Binding::kind == ParameterKind::buffer ||
                Binding::kind == ParameterKind::threadgroupMemory) {
    using Element = metal::remove_pointer_t<metal::remove_cv_t<metal::remove_reference_t<P>>>;
    using Plain = metal::remove_cv_t<Element>;
    parameter.reference = metal::is_reference_v<P>;
    parameter.readOnly = metal::is_const_v<Element>;
    if constexpr (!metal::is_void_v<Plain>) {
      using Lane = typename LaneType<Plain>::type;
      parameter.bytes = sizeof(Plain);
      parameter.align = alignof(Plain);
      parameter.scalar = scalarKind<Lane>();
      parameter.scalarBytes = parameter.scalar == ScalarKind::none ? 0 : sizeof(Lane);
    }
  }
  return parameter;
}

/// The index of each parameter among those of its kind, implicit ones assigned.
template <class... Bindings> constexpr auto assignIndices() {
  constexpr unsigned count = sizeof...(Bindings);
  metal::array<int, count + 1> indices{{Bindings::index..., 0}};
  constexpr ParameterKind kinds[] = {Bindings::kind..., ParameterKind::builtin};
  for (unsigned i = 0; i < count; ++i) {
    if (indices[i] != implicitIndex)
      continue;
    int lowest = 0;
    for (bool taken = true; taken;) {
      taken = false;
      for (unsigned j = 0; j < count; ++j)
        if (kinds[j] == kinds[i] && indices[j] == lowest) {
          taken = true;
          ++lowest;
        }
    }
    indices[i] = lowest;
  }
  return indices;
}

template <int... I> struct Sequence {};
template <class T, T... I> using SequenceOf = Sequence<I...>;

struct ParameterText {
  const char *name;
  const char *attribute;
  Site site;
};

#if METILE_CHECKING
#define METILE_ENTRY METILE_UNCHECKED
#else
#define METILE_ENTRY
#endif

template <class F, class... Bindings> struct EntryOf;
template <class... P, class... Bindings> struct EntryOf<void (*)(P...), Bindings...> {
  static constexpr auto indices = assignIndices<Bindings...>();

  template <void (*F)(P...), int... I>
  METILE_SHIM static void call(const Thread &thread, Sequence<I...>) {
    F(bind<P, Bindings, indices[I]>(thread)...);
  }
  // When it is checked the kernel itself is not inlined here, for its accesses are asked about.
  template <void (*F)(P...)> METILE_ENTRY static void run(Group *group) {
    for (;;) {
      Thread thread(*group);
      call<F>(thread, __make_integer_seq<SequenceOf, int, sizeof...(P)>());
      if (group->blocked) {
        if (!group->services->finish(group))
          return;
      } else if (++group->current == group->threads) {
        return;
      }
    }
  }
  template <int... I>
  static constexpr auto describeAll(const ParameterText *texts, Sequence<I...>) {
    return metal::array<Parameter, sizeof...(P) + 1>{
        {describe<P, Bindings>(texts[I].name, texts[I].attribute, indices[I], texts[I].site)...,
         Parameter{}}};
  }
  static constexpr auto parameters(const ParameterText *texts) {
    return describeAll(texts, __make_integer_seq<SequenceOf, int, sizeof...(P)>());
  }
};

//===--- Function constants ---===//

/// The value given for the function constant with this index; the rewriter specialises it.
template <int Index> struct GivenConstant {
  static constexpr bool given = false;
  static constexpr int value = 0;
};
template <class T, int Index>
inline constexpr T functionConstant = static_cast<T>(GivenConstant<Index>::value);

//===--- Threadgroup variables ---===//

/// The memory of the variables that `Holder` declares; the same for all threads of a group.
template <class Holder> METILE_LEAF Holder &threadgroupMemory(ThreadgroupVariable &variable) {
  Group &group = currentGroup();
  void *memory = group.variables[variable.slot];
  if (__builtin_expect(variable.slot == 0 || !memory, 0))
    memory = group.services->threadgroupMemory(&group, &variable);
  return *static_cast<Holder *>(memory);
}

} // namespace metile::emulator
