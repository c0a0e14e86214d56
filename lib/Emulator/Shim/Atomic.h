// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic types, their operations and fences.
#pragma once

#include "Integer.h"

namespace metal {

enum memory_order {
  memory_order_relaxed,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
enum thread_scope {
  thread_scope_thread,
  thread_scope_simdgroup,
  thread_scope_threadgroup,
  thread_scope_device
};
enum class mem_flags : uint {
  mem_none = ::metile::emulator::memoryNone,
  mem_device = ::metile::emulator::memoryDevice,
  mem_threadgroup = ::metile::emulator::memoryThreadgroup,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8,
  mem_object_data = 16,
};
METILE_SHIM constexpr mem_flags operator|(mem_flags a, mem_flags b) {
  return static_cast<mem_flags>(static_cast<uint>(a) | static_cast<uint>(b));
}
METILE_SHIM constexpr mem_flags operator&(mem_flags a, mem_flags b) {
  return static_cast<mem_flags>(static_cast<uint>(a) & static_cast<uint>(b));
}

template <class T> struct atomic {
  using value_type = T;
  T value;
  constexpr atomic() = default;
  constexpr atomic(T value) : value(value) {}
};
template <class T> using _atomic = atomic<T>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<uint>;
using atomic_bool = atomic<bool>;
using atomic_float = atomic<float>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<ulong>;

} // namespace metal

namespace metile::emulator {

template <class T> METILE_SHIM void reportAtomic(const volatile T *at, unsigned flags, Site site) {
  Group &group = currentGroup();
  if (group.checking)
    group.services->access(&group, reinterpret_cast<unsigned long>(at), sizeof(T), 1, 0,
                           flags | accessAtomic, site);
}

template <class T> METILE_UNCHECKED T atomicLoad(const volatile T *at, Site site) {
  reportAtomic(at, accessRead, site);
  T value;
  __atomic_load(const_cast<T *>(at), &value, __ATOMIC_SEQ_CST);
  return value;
}
template <class T> METILE_UNCHECKED void atomicStore(volatile T *at, T value, Site site) {
  reportAtomic(at, accessWrite, site);
  __atomic_store(const_cast<T *>(at), &value, __ATOMIC_SEQ_CST);
}
template <class T> METILE_UNCHECKED T atomicExchange(volatile T *at, T value, Site site) {
  reportAtomic(at, accessWrite, site);
  T before;
  __atomic_exchange(const_cast<T *>(at), &value, &before, __ATOMIC_SEQ_CST);
  return before;
}
template <class T>
METILE_UNCHECKED bool atomicCompareExchange(volatile T *at, T *expected, T desired, Site site) {
  reportAtomic(at, accessWrite, site);
  return __atomic_compare_exchange(const_cast<T *>(at), expected, &desired, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST);
}
/// Replaces the value by what `fn` makes of it, and returns what was there.
template <class T, class Fn> METILE_UNCHECKED T atomicUpdate(volatile T *at, Fn fn, Site site) {
  reportAtomic(at, accessWrite, site);
  T before, after;
  __atomic_load(const_cast<T *>(at), &before, __ATOMIC_SEQ_CST);
  do
    after = fn(before);
  while (!__atomic_compare_exchange(const_cast<T *>(at), &before, &after, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST));
  return before;
}

} // namespace metile::emulator

namespace metal {

template <class T>
METILE_SHIM T atomic_load_explicit(const volatile atomic<T> *at, memory_order, METILE_SITE) {
  return ::metile::emulator::atomicLoad(&at->value, metileSite);
}
template <class T, class V>
METILE_SHIM void atomic_store_explicit(volatile atomic<T> *at, V value, memory_order, METILE_SITE) {
  ::metile::emulator::atomicStore(&at->value, static_cast<T>(value), metileSite);
}
template <class T, class V>
METILE_SHIM T atomic_exchange_explicit(volatile atomic<T> *at, V value, memory_order, METILE_SITE) {
  return ::metile::emulator::atomicExchange(&at->value, static_cast<T>(value), metileSite);
}
template <class T, class V>
METILE_SHIM bool atomic_compare_exchange_weak_explicit(volatile atomic<T> *at, T *expected,
                                                       V desired, memory_order, memory_order,
                                                       METILE_SITE) {
  return ::metile::emulator::atomicCompareExchange(&at->value, expected, static_cast<T>(desired),
                                                   metileSite);
}

#define METILE_ATOMIC(name, expression)                                                            \
  template <class T, class V>                                                                      \
  METILE_SHIM T atomic_fetch_##name##_explicit(volatile atomic<T> *at, V operand, memory_order,    \
                                               METILE_SITE) {                                      \
    T b = static_cast<T>(operand);                                                                 \
    return ::metile::emulator::atomicUpdate(                                                       \
        &at->value, [b](T a) { return static_cast<T>(expression); }, metileSite);                  \
  }
METILE_ATOMIC(add, a + b)
METILE_ATOMIC(sub, a - b)
METILE_ATOMIC(min, b < a ? b : a)
METILE_ATOMIC(max, a < b ? b : a)
METILE_ATOMIC(and, a &b)
METILE_ATOMIC(or, a | b)
METILE_ATOMIC(xor, a ^ b)
#undef METILE_ATOMIC
template <class T, class V>
METILE_SHIM void atomic_min_explicit(volatile atomic<T> *at, V value, memory_order order,
                                     METILE_SITE) {
  atomic_fetch_min_explicit(at, value, order, metileSite);
}
template <class T, class V>
METILE_SHIM void atomic_max_explicit(volatile atomic<T> *at, V value, memory_order order,
                                     METILE_SITE) {
  atomic_fetch_max_explicit(at, value, order, metileSite);
}

METILE_SHIM void atomic_thread_fence(mem_flags flags, memory_order = memory_order_seq_cst,
                                     thread_scope scope = thread_scope_device) {
  ::metile::emulator::Group &group = ::metile::emulator::currentGroup();
  group.services->fence(&group, static_cast<uint>(flags), scope >= thread_scope_device);
}

} // namespace metal
