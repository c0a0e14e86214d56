// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Errors.h"

using namespace metile;

std::vector<WrongKernel> metile::wrongMemory() {
  return {
      {kernel("store_into_in",
              [](In<"x"> x) {
                grid(1);
                x.store({0}, 1);
                //~ store into In argument 'x'; an In view is only read; declare it Out<"x"> or
                //~+ InOut<"x">
              }),
       "x=f32:1"},
      {kernel("load_from_out",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, y.load({1}));
                //~ load from Out argument 'y'; an Out view is only written; declare it InOut<"y">
              }),
       "y=f32:1"},
      {kernel("store_converts_nothing",
              [](In<"x"> x, Out<"y"> y) {
                Index i = tile_of(y, 0, 64);
                y.store({i}, x.load({i}, {64}) * 2.0f);
                //~ store of f32[64] into memory of f16; a store converts nothing; cast the value:
                //~+ cast(x, f16)
              }),
       "x=f32:1 y=f16:1"},
      {kernel("store_through_pointers_converts_nothing",
              [](Ptr<"y"> y) {
                grid(1);
                store(y + arange(16), arange(16));
                //~ store of i64[16] into memory of f32; a store converts nothing; cast the value:
                //~+ cast(x, f32)
              }),
       ""},
      {kernel("too_few_offsets",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0, 0}, x.load({0}, {16}));
                //~ load with 1 offset of 'x', a view of f32, rank 2; one offset for each axis
              }),
       ""},
      {kernel("tile_rank",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0, 0}, x.load({0, 0}, {16}));
                //~ load of a tile [16] from a view of f32, rank 2; a tile has one extent for each
                //~+ axis of its view; give extent 1 to further axes, or fix them with at()
              }),
       ""},
      {kernel("stored_rank",
              [](Out<"y"> y) {
                grid(1);
                y.store({0, 0}, zeros(f32, {16}));
                //~ store of f32[16] into a view of f32, rank 2; a tile has one axis for each axis
                //~+ of the view; insert axes with expand(x, axis), or fix axes of the view with
                //~+ at()
              }),
       ""},
      {kernel("load_through_a_number",
              [](Ptr<"x"> x, Scalar<"n"> n) {
                grid(1);
                store(x, load(n));
                //~ load through i32; a pointer or a tile of pointers; a Ptr parameter plus offsets
                //~+ is one: load(x + i)
              }),
       ""},
      {kernel("load_of_an_address",
              [](Ptr<"x"> x, Ptr<"y"> y) {
                grid(1);
                store(y, exp(x));
                //~ exp of pointer to f32; it takes a tile of numbers; load the elements first
              }),
       ""},
      {kernel("tile_through_one_pointer",
              [](Ptr<"y"> y) {
                grid(1);
                store(y, zeros(f32, {16}));
                //~ store of f32[16] through one pointer; there is one pointer for each element;
                //~+ add offsets: store(p + arange(n), x)
              }),
       ""},
      {kernel("mask_is_no_condition",
              [](Ptr<"x"> x, Ptr<"y"> y, Scalar<"n"> n) {
                grid(1);
                store(y, load(x, n));
                //~ the mask of load is i32; conditions are bool; compare it: x != 0
              }),
       ""},
      {kernel("sum_of_pointers",
              [](Ptr<"x"> x, Ptr<"y"> y) {
                grid(1);
                store(x + y, 1);
                //~ pointer to f32 + pointer to f32; a pointer takes integers: p + i, i + p, p - i;
                //~+ load the element first if you mean its value
              }),
       ""},
      {kernel("axis_of_a_view",
              [](In<"x"> x, Out<"y"> y) {
                grid(x.size(2));
                //~ axis 2 of a view of f32, rank 2; its axes are 0 to 1, or -2 to -1
                y.store({0, 0}, 1);
              }),
       ""},
      {kernel("size_not_fixed",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                for (int64_t i = 0; i < x.fixed_size(0); ++i)
                  //~ the size of axis 0 of x is not known; fixed_size needs the sizes of a launch
                  //~+ when the kernel is compiled; state the sizes in ArgumentSpec, or use size()
                  //~+ instead
                  y.store({i}, 1);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("load_in_combine",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0}, {16});
                y.store({0}, t.reduce(0, [&](Tile a, Tile b) { return a + b + x.load({0}); }));
                //~ load inside a combine function; a combine function only computes with its
                //~+ scalars; move it out of the function
              }),
       "x=f32:1 y=f32:1"},
  };
}
