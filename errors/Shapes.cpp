// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Errors.h"

using namespace metile;

namespace {
Tile center(Tile x, Loc at = Loc::current()) {
  Site here(at);
  return x - x.sum(3);
  //~ sum along axis 3 of f32[16, 16]; its axes are 0 to 1, or -2 to -1
}
} // namespace

std::vector<WrongKernel> metile::wrongShapes() {
  return {
      {kernel("extent_not_a_power_of_two",
              [](Out<"y"> y) {
                grid(1);
                y.store({0, 0}, zeros(f32, {32, 96}));
                //~ extent 96 along axis 1 of a tile; extents are powers of two; the nearest are 64
                //~+ and 128
              }),
       ""},
      {kernel("no_extent",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, zeros(f32, {0}));
                //~ extent 0 along axis 0 of a tile; extents are powers of two, at least 1; use 1
                //~+ or a larger power of two
              }),
       "y=f32:1"},
      {kernel("too_many_elements",
              [](Out<"y"> y) {
                grid(1);
                y.store({0, 0}, zeros(f32, {2048, 1024}));
                //~ a tile of shape [2048, 1024] has more than 2^20 elements; a tile holds at most
                //~+ 1048576 elements; use smaller tiles in a loop
              }),
       ""},
      {kernel("different_ranks",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0, 0}, {16, 32});
                y.store({0, 0}, t - t.max(1));
                //~ shapes [16, 32] and [16] have different ranks; ranks are equal or one side is a
                //~+ scalar; insert an axis with expand(x, axis)
              }),
       ""},
      {kernel("different_extents",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, cast(arange(16) + arange(32), f32));
                //~ shapes [16] and [32] differ along axis 0; extents are equal or 1; load or make
                //~+ both with the same extent
              }),
       "y=f32:1"},
      {kernel("axis_in_a_helper",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0, 0}, center(x.load({0, 0}, {16, 16})));
                //~ note: called from here
              }),
       ""},
      {kernel("dot_depth",
              [](In<"a"> a, In<"b"> b, Out<"c"> c) {
                grid(1);
                Tile x = a.load({0, 0}, {16, 32});
                Tile y = b.load({0, 0}, {16, 32});
                c.store({0, 0}, dot(x, y));
                //~ dot of f32[16, 32] and f32[16, 32]: K is 32 on the left and 16 on the right;
                //~+ […, M, K] and […, K, N]; transpose the right operand
              }),
       ""},
      {kernel("dot_rank",
              [](In<"a"> a, Out<"c"> c) {
                grid(1);
                c.store({0}, dot(a.load({0}, {16}), a.load({0}, {16})));
                //~ dot of f32[16] and f32[16]; […, M, K] and […, K, N] of one rank; insert axes
                //~+ with expand(x, axis)
              }),
       "a=f32:1 c=f32:1"},
      {kernel("reshape_loses_elements",
              [](Out<"y"> y) {
                grid(1);
                y.store({0, 0}, reshape(zeros(f32, {16, 16}), {16, 8}));
                //~ reshape of f32[16, 16] to [16, 8]; the number of elements stays 256
              }),
       ""},
      {kernel("permute_twice_the_same",
              [](Out<"y"> y) {
                grid(1);
                y.store({0, 0}, permute(zeros(f32, {16, 16}), {0, 0}));
                //~ permute with axes [0, 0] of f32[16, 16]; each axis once
              }),
       ""},
      {kernel("transpose_of_a_row",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, transpose(zeros(f32, {16})));
                //~ transpose of f32[16]; two axes or more; insert an axis with expand(x, axis)
              }),
       "y=f32:1"},
      {kernel("broadcast_shrinks",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, broadcast_to(zeros(f32, {16}), {8}));
                //~ broadcast_to [8] of f32[16]; only axes of extent 1 are repeated, and ranks are
                //~+ equal; insert axes with expand(x, axis)
              }),
       "y=f32:1"},
      {kernel("arange_not_a_power_of_two",
              [](Ptr<"y"> y) {
                grid(1);
                store(y + arange(10), 1);
                //~ extent 10 along axis 0 of a tile; extents are powers of two; the nearest are 8
                //~+ and 16
              }),
       ""},
  };
}
