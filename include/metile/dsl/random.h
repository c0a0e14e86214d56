// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers that depend on nothing but a seed and a counter: Philox 4x32 (Salmon, Moraes,
// Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). The same on every target and in
// any order of programs. Written in the language itself; knows nothing of the tracer.
#pragma once

#include "metile/dsl/tile.h"

#include <array>

namespace metile {

/// The four u32 of a counter of four u32 tiles, under the two halves of the 64-bit `seed`. Seed and
/// counters are integers; the lower 32 bits of the latter count.
std::array<Tile, 4> philox(Operand seed, Operand c0, Operand c1, Operand c2, Operand c3,
                           int rounds = 10, Loc at = Loc::current());

/// Four tiles of uniform u32, one element for each of `offset`, a tile of integers. Every offset
/// has numbers of its own: use each once under a seed.
std::array<Tile, 4> randint4x(Operand seed, const Tile &offset, int rounds = 10,
                              Loc at = Loc::current());
/// The first of them.
Tile randint(Operand seed, const Tile &offset, int rounds = 10, Loc at = Loc::current());

/// f32, uniform in [0, 1).
std::array<Tile, 4> rand4x(Operand seed, const Tile &offset, int rounds = 10,
                           Loc at = Loc::current());
Tile rand(Operand seed, const Tile &offset, int rounds = 10, Loc at = Loc::current());

/// f32, normal with mean 0 and variance 1.
std::array<Tile, 4> randn4x(Operand seed, const Tile &offset, int rounds = 10,
                            Loc at = Loc::current());
Tile randn(Operand seed, const Tile &offset, int rounds = 10, Loc at = Loc::current());

} // namespace metile
