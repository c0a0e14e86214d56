// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and the collective operations of simdgroups and quadgroups. The last lane to arrive at a
// collective computes the results of all that take part.
#pragma once

#include "Atomic.h"

namespace metile::emulator {

METILE_LEAF void waitAtBarrier(uint flags, Site site) {
  Group &group = currentGroup();
  group.services->barrier(&group, flags, site);
}
METILE_LEAF void waitAtSimdBarrier(uint flags, Site site) {
  Group &group = currentGroup();
  group.services->simdBarrier(&group, flags, site);
}
METILE_LEAF void waitAtCollective(CollectiveFn fn, const void *in, void *out, Site site) {
  Group &group = currentGroup();
  group.services->collective(&group, fn, in, out, site);
}
METILE_LEAF unsigned laneIndex() { return currentGroup().current % simdWidth; }

} // namespace metile::emulator

namespace metal {

METILE_SHIM void threadgroup_barrier(mem_flags flags, thread_scope = thread_scope_threadgroup,
                                     METILE_SITE) {
  ::metile::emulator::waitAtBarrier(static_cast<uint>(flags), metileSite);
}
METILE_SHIM void simdgroup_barrier(mem_flags flags, thread_scope = thread_scope_simdgroup,
                                   METILE_SITE) {
  ::metile::emulator::waitAtSimdBarrier(static_cast<uint>(flags), metileSite);
}

} // namespace metal

namespace metile::emulator {

template <class R, class In, class Fn>
METILE_UNCHECKED void runCollective(unsigned mask, const void *const *in, void *const *out) {
  Fn()(mask, reinterpret_cast<const In *const *>(in), reinterpret_cast<R *const *>(out));
}
/// Runs a collective: `fn(mask, in, out)` sees the operands and results of all lanes as typed
/// pointers.
template <class R, class In, class Fn> METILE_SHIM R collective(const In &in, Fn fn, Site site) {
  R out;
  waitAtCollective(&runCollective<R, In, Fn>, &in, &out, site);
  return out;
}

/// The operand of a shuffle.
template <class T> struct Shuffled {
  T value;
  int operand;
  T fill;
  int modulo;
};

/// `source(lane, operand, modulo)` says from where each lane takes its value; a source that is no
/// live lane gives the lane's own value, or its fill value. Apple leaves the first undefined.
template <bool Fill, class T, class Source>
METILE_SHIM T shuffle(T value, int operand, T fill, int modulo, Source, Site site) {
  return collective<T>(
      Shuffled<T>{value, operand, fill, modulo},
      [](unsigned mask, const Shuffled<T> *const *in, T *const *out) {
        for (unsigned lane = 0; lane < simdWidth; ++lane) {
          if (!(mask >> lane & 1))
            continue;
          int from = Source()(static_cast<int>(lane), in[lane]->operand, in[lane]->modulo);
          if (from >= 0 && from < static_cast<int>(simdWidth) && (mask >> from & 1))
            *out[lane] = in[from]->value;
          else
            *out[lane] = Fill ? in[lane]->fill : in[lane]->value;
        }
      },
      site);
}

/// Combines the values of the lanes in each piece of `Width` lanes.
template <unsigned Width, class T, class Fn> METILE_SHIM T reduce(T value, Fn, Site site) {
  return collective<T>(
      value,
      [](unsigned mask, const T *const *in, T *const *out) {
        for (unsigned first = 0; first < simdWidth; first += Width) {
          T total{};
          bool any = false;
          for (unsigned lane = first; lane < first + Width; ++lane)
            if (mask >> lane & 1) {
              total = any ? static_cast<T>(Fn()(total, *in[lane])) : *in[lane];
              any = true;
            }
          for (unsigned lane = first; lane < first + Width; ++lane)
            if (mask >> lane & 1)
              *out[lane] = total;
        }
      },
      site);
}

/// Combines each lane's value with those of the lanes before it in its piece of `Width` lanes.
template <unsigned Width, bool Inclusive, class T, class Fn>
METILE_SHIM T scan(T value, Fn, T identity, Site site) {
  struct Operand {
    T value, identity;
  };
  return collective<T>(
      Operand{value, identity},
      [](unsigned mask, const Operand *const *in, T *const *out) {
        for (unsigned first = 0; first < simdWidth; first += Width) {
          bool any = false;
          T total{};
          for (unsigned lane = first; lane < first + Width; ++lane) {
            if (!(mask >> lane & 1))
              continue;
            if (!Inclusive)
              *out[lane] = any ? total : in[lane]->identity;
            total = any ? static_cast<T>(Fn()(total, in[lane]->value)) : in[lane]->value;
            any = true;
            if (Inclusive)
              *out[lane] = total;
          }
        }
      },
      site);
}

/// a op b on the bits of the lanes, whatever their type.
template <char Op, class T> METILE_SHIM T bitwise(T a, T b) {
  if constexpr (metal::is_floating_point_v<T>) {
    using Bits = metal::conditional_t<sizeof(T) == 2, ushort, uint>;
    return metal::as_type<T>(bitwise<Op>(metal::as_type<Bits>(a), metal::as_type<Bits>(b)));
  } else {
    return static_cast<T>(Op == '&' ? a & b : Op == '|' ? a | b : a ^ b);
  }
}

} // namespace metile::emulator

namespace metal {

METILE_SHIM uint __metal_get_thread_index_in_simdgroup(uint = 0) {
  return ::metile::emulator::laneIndex();
}
METILE_SHIM uint __metal_get_simdgroup_size(uint = 0) { return ::metile::emulator::simdWidth; }

#define METILE_REDUCE(name, expression)                                                            \
  template <class T> METILE_SHIM T simd_##name(T value, METILE_SITE) {                             \
    return ::metile::emulator::reduce<32>(value, [](T a, T b) { return expression; }, metileSite); \
  }                                                                                                \
  template <class T> METILE_SHIM T quad_##name(T value, METILE_SITE) {                             \
    return ::metile::emulator::reduce<4>(value, [](T a, T b) { return expression; }, metileSite);  \
  }
METILE_REDUCE(sum, a + b)
METILE_REDUCE(product, a *b)
METILE_REDUCE(min, min(a, b))
METILE_REDUCE(max, max(a, b))
METILE_REDUCE(and, ::metile::emulator::bitwise<'&'>(a, b))
METILE_REDUCE(or, ::metile::emulator::bitwise<'|'>(a, b))
METILE_REDUCE(xor, ::metile::emulator::bitwise<'^'>(a, b))
#undef METILE_REDUCE

#define METILE_SCAN(name, expression, identity)                                                    \
  template <class T> METILE_SHIM T simd_prefix_inclusive_##name(T value, METILE_SITE) {            \
    return ::metile::emulator::scan<32, true>(                                                     \
        value, [](T a, T b) { return expression; }, T(identity), metileSite);                      \
  }                                                                                                \
  template <class T> METILE_SHIM T simd_prefix_exclusive_##name(T value, METILE_SITE) {            \
    return ::metile::emulator::scan<32, false>(                                                    \
        value, [](T a, T b) { return expression; }, T(identity), metileSite);                      \
  }                                                                                                \
  template <class T> METILE_SHIM T quad_prefix_inclusive_##name(T value, METILE_SITE) {            \
    return ::metile::emulator::scan<4, true>(                                                      \
        value, [](T a, T b) { return expression; }, T(identity), metileSite);                      \
  }                                                                                                \
  template <class T> METILE_SHIM T quad_prefix_exclusive_##name(T value, METILE_SITE) {            \
    return ::metile::emulator::scan<4, false>(                                                     \
        value, [](T a, T b) { return expression; }, T(identity), metileSite);                      \
  }
METILE_SCAN(sum, a + b, 0)
METILE_SCAN(product, a *b, 1)
#undef METILE_SCAN

// Lanes of a simdgroup, and of a quadgroup: `p` is the piece's first lane.
#define METILE_SHUFFLE(name, Operand, inSimdgroup, inQuadgroup)                                    \
  template <class T> METILE_SHIM T simd_##name(T value, Operand operand, METILE_SITE) {            \
    return ::metile::emulator::shuffle<false>(                                                     \
        value, static_cast<int>(operand), value, 32,                                               \
        [](int lane, int by, int) { return inSimdgroup; }, metileSite);                            \
  }                                                                                                \
  template <class T> METILE_SHIM T quad_##name(T value, Operand operand, METILE_SITE) {            \
    return ::metile::emulator::shuffle<false>(                                                     \
        value, static_cast<int>(operand), value, 4,                                                \
        [](int lane, int by, int) {                                                                \
          int p = lane & ~3, q = lane & 3;                                                         \
          int to = inQuadgroup;                                                                    \
          return to < 0 || to > 3 ? -1 : p + to;                                                   \
        },                                                                                         \
        metileSite);                                                                               \
  }
METILE_SHUFFLE(shuffle, ushort, by, by)
METILE_SHUFFLE(broadcast, ushort, by, by)
METILE_SHUFFLE(shuffle_xor, ushort, lane ^ by, q ^ by)
METILE_SHUFFLE(shuffle_up, ushort, lane - by, q - by)
METILE_SHUFFLE(shuffle_down, ushort, lane + by, q + by)
METILE_SHUFFLE(shuffle_rotate_up, ushort, lane - by & 31, q - by & 3)
METILE_SHUFFLE(shuffle_rotate_down, ushort, lane + by & 31, q + by & 3)
#undef METILE_SHUFFLE

#define METILE_SHUFFLE_FILL(name, source)                                                          \
  template <class T>                                                                               \
  METILE_SHIM T simd_shuffle_and_fill_##name(T value, T fill, ushort by, ushort modulo = 32,       \
                                             METILE_SITE) {                                        \
    return ::metile::emulator::shuffle<true>(                                                      \
        value, by, fill, modulo,                                                                   \
        [](int lane, int by, int modulo) {                                                         \
          int piece = lane / modulo * modulo;                                                      \
          int from = source;                                                                       \
          return from < piece || from >= piece + modulo ? -1 : from;                               \
        },                                                                                         \
        metileSite);                                                                               \
  }
METILE_SHUFFLE_FILL(up, lane - by)
METILE_SHUFFLE_FILL(down, lane + by)
#undef METILE_SHUFFLE_FILL

template <class T> METILE_SHIM T simd_broadcast_first(T value, METILE_SITE) {
  return ::metile::emulator::reduce<32>(value, [](T a, T) { return a; }, metileSite);
}
template <class T> METILE_SHIM T quad_broadcast_first(T value, METILE_SITE) {
  return ::metile::emulator::reduce<4>(value, [](T a, T) { return a; }, metileSite);
}
METILE_SHIM bool simd_any(bool value, METILE_SITE) {
  return ::metile::emulator::reduce<32>(value, [](bool a, bool b) { return a || b; }, metileSite);
}
METILE_SHIM bool simd_all(bool value, METILE_SITE) {
  return ::metile::emulator::reduce<32>(value, [](bool a, bool b) { return a && b; }, metileSite);
}
METILE_SHIM bool quad_any(bool value, METILE_SITE) {
  return ::metile::emulator::reduce<4>(value, [](bool a, bool b) { return a || b; }, metileSite);
}
METILE_SHIM bool quad_all(bool value, METILE_SITE) {
  return ::metile::emulator::reduce<4>(value, [](bool a, bool b) { return a && b; }, metileSite);
}
METILE_SHIM bool simd_is_first(METILE_SITE) {
  uint lane = ::metile::emulator::laneIndex();
  return ::metile::emulator::reduce<32>(
             lane, [](uint a, uint b) { return a < b ? a : b; }, metileSite) == lane;
}

/// A set of lanes.
struct simd_vote {
  using vote_t = ulong;
  vote_t mask = 0;
  simd_vote() = default;
  explicit constexpr simd_vote(vote_t mask) : mask(mask) {}
  explicit constexpr operator vote_t() const { return mask; }
  bool all() const { return mask == 0xffffffff; }
  bool any() const { return mask != 0; }
};
METILE_SHIM simd_vote simd_ballot(bool value, METILE_SITE) {
  ulong bit = value ? 1ul << ::metile::emulator::laneIndex() : 0;
  return simd_vote(
      ::metile::emulator::reduce<32>(bit, [](ulong a, ulong b) { return a | b; }, metileSite));
}
METILE_SHIM simd_vote simd_active_threads_mask(METILE_SITE) {
  return simd_ballot(true, metileSite);
}

} // namespace metal
