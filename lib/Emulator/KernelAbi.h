// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emulator and the code of a compiled kernel say to each other: plain structs and a table
// of functions. Compiled into the emulator and, by clang, into every kernel; so it must not include
// anything, nor know how either side does its work.
#pragma once

namespace metile::emulator {

/// Changes whenever anything in this file does.
inline constexpr unsigned abiVersion = 1;

inline constexpr unsigned simdWidth = 32;
inline constexpr unsigned maxThreads = 1024; ///< Of a threadgroup.
inline constexpr unsigned maxBuffers = 31;   ///< And as many arguments in threadgroup memory.

/// Each fiber owns so many bytes at a multiple of as many; the first word is its Group's address.
inline constexpr unsigned long fiberBytes = 1ul << 18;

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

/// A place in the kernel's source: a line and column of the rewritten text with the top bit set, or
/// the offset of an instruction in the module's code.
using Site = unsigned;
inline constexpr Site textSite = 1u << 31;
inline constexpr unsigned columnBits = 12;

constexpr Site siteOf(unsigned line, unsigned column) {
  constexpr unsigned most = (1u << columnBits) - 1;
  return textSite | line << columnBits | (column < most ? column : most);
}

/// What a memory access is, apart from its address and size.
enum AccessFlags : unsigned {
  accessRead = 0,
  accessWrite = 1,
  accessAtomic = 2,
  accessCollective = 4, ///< Done by one lane for the whole simdgroup.
};

/// Memory that barriers and fences order; the bits of metal::mem_flags.
enum MemoryFlags : unsigned { memoryNone = 0, memoryDevice = 1, memoryThreadgroup = 2 };

/// A collective operation of a simdgroup or quadgroup: computes the results of all lanes in `mask`.
/// `in` and `out` hold each lane's operand and result.
using CollectiveFn = void (*)(unsigned mask, const void *const *in, void *const *out);

struct Group;

/// Memory that a kernel declares in its body.
struct ThreadgroupVariable {
  const char *name;
  Site site;
  unsigned long bytes;
  unsigned slot; ///< Assigned by the emulator, counted from 1; 0 before.
};

/// What the emulator does for a kernel.
struct Services {
  /// A thread has returned. True if the caller goes on with the thread `Group::current`; false if
  /// the threadgroup is done.
  bool (*finish)(Group *group);
  void (*barrier)(Group *group, unsigned flags, Site site);
  void (*simdBarrier)(Group *group, unsigned flags, Site site);
  void (*collective)(Group *group, CollectiveFn fn, const void *in, void *out, Site site);
  void (*fence)(Group *group, unsigned flags, bool wholeDevice);
  void *(*threadgroupMemory)(Group *group, ThreadgroupVariable *variable);
  /// `rows` pieces of `bytes`, `stride` bytes apart.
  void (*access)(Group *group, unsigned long address, unsigned long bytes, unsigned rows,
                 long stride, unsigned flags, Site site);
  /// An access of an instrumented instruction. `aligned`: what the address must be a multiple of.
  void (*load)(Group *group, unsigned long address, unsigned long bytes, unsigned aligned,
               unsigned long returnAddress);
  void (*store)(Group *group, unsigned long address, unsigned long bytes, unsigned aligned,
                unsigned long returnAddress);
  /// An index outside an array whose size the type tells. Does not return.
  void (*outOfBounds)(Group *group, const char *type, long index, unsigned long returnAddress);
};

/// One threadgroup while it runs; the part of it that kernels see.
struct Group {
  const Services *services;
  unsigned current;    ///< The thread that runs, linear in the group.
  unsigned threads;    ///< Of this group; fewer than asked for at the edge of a grid of threads.
  bool blocked;        ///< A thread of this group has waited for others.
  bool checking;       ///< Shim operations report their accesses.
  Extent extent;       ///< Threads of this group by axis.
  Extent position;     ///< Of the group in the grid.
  Extent groups;       ///< Of the grid.
  Extent fullExtent;   ///< Threads of a group that is not at the edge.
  Extent gridThreads;  ///< Of the grid.
  unsigned long first; ///< The memory of the launch, whose accesses are checked: [first, first +
  unsigned long bytes; ///< bytes).
  void *buffers[maxBuffers];
  void *threadgroupBuffers[maxBuffers];
  void *variables[64]; ///< By ThreadgroupVariable::slot; null if not yet met in this group.
};

enum class ParameterKind : unsigned { buffer, threadgroupMemory, builtin, texture, unsupported };
enum class ScalarKind : unsigned {
  none,
  boolean,
  signedInteger,
  unsignedInteger,
  floating,
  bfloat
};

/// One parameter of a kernel.
struct Parameter {
  const char *name;
  const char *attribute;
  ParameterKind kind;
  int index;            ///< Of a buffer or of threadgroup memory; -1 if it is not bound.
  unsigned long bytes;  ///< Of one element; 0 if unknown.
  unsigned long align;  ///< Of one element.
  ScalarKind scalar;    ///< Of the element, or of its lanes.
  unsigned scalarBytes; ///< 0 if the element is no number or vector.
  bool readOnly;        ///< Points to const.
  bool reference;       ///< One element, not an array.
  Site site;
};

struct FunctionConstant {
  const char *name;
  unsigned index;
  bool given;
};

/// What a compiled kernel exports as the C symbol `metileKernelModule`.
struct KernelModule {
  unsigned version;
  const char *kernel;
  const Parameter *parameters;
  unsigned parameterCount;
  const FunctionConstant *constants;
  unsigned constantCount;
  unsigned threadLimit;      ///< [[max_total_threads_per_threadgroup]], or 0.
  void (*run)(Group *group); ///< Runs threads until the group is done.
  unsigned *slots;           ///< How many ThreadgroupVariables have a slot.
};

} // namespace metile::emulator
