// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Errors.h"

using namespace metile;

std::vector<WrongKernel> metile::wrongTypes() {
  return {
      {kernel("mixed_signs",
              [](Out<"y"> y, Scalar<"a"> a, Scalar<"b"> b) {
                grid(1);
                y.store({0}, a + b);
                //~ i32 + u32: i32 meets u32; integers of one width but different sign have no
                //~+ common type; cast one of them
              }),
       "y=i32:1 a=i32 b=u32"},
      {kernel("half_of_an_integer",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, n * 0.5);
                //~ the number 0.5 meets a tile of i32; a C++ number takes the type of the tile;
                //~+ cast the tile to f32 first
              }),
       "y=i32:1"},
      {kernel("literal_too_large",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, a + 300);
                //~ the number 300 meets a tile of u8, which cannot hold it; a C++ number takes the
                //~+ type of the tile; cast the tile to a wider type first
              }),
       "y=u8:1 a=u8"},
      {kernel("negative_for_unsigned",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, a + -1);
                //~ the number -1 meets a tile of u32, which cannot hold it; a C++ number takes the
                //~+ type of the tile; cast the tile to a wider type first
              }),
       "y=u32:1 a=u32"},
      {kernel("arithmetic_on_bool",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, (n > 1) + (n > 2));
                //~ bool + bool; bool has no arithmetic and no order; cast it to i32, or use && and
                //~+ ||
              }),
       "y=i32:1"},
      {kernel("bool_meets_integer",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, n + (n > 2));
                //~ i32 + bool: bool meets i32; bool does not convert by itself; cast the bool, or
                //~+ use where(condition, a, b)
              }),
       "y=i32:1"},
      {kernel("logic_on_integers",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, n && (n > 1));
                //~ i32 && bool; logical operations take bool; compare first: x != 0 && y != 0
              }),
       "y=bool:1"},
      {kernel("bits_of_a_float",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, a & 3);
                //~ f32 & f32; bit operations take integers and bool; cast or bitcast first
              }),
       "y=f32:1 a=f32"},
      {kernel("shift_of_a_float",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, a << 3);
                //~ f32 << f32; it takes integers; cast first
              }),
       "y=f32:1 a=f32"},
      {kernel("exp_of_an_integer",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, exp(n));
                //~ exp of i32; it takes floats; cast it: cast(x, f32)
              }),
       "y=f32:1"},
      {kernel("fma_of_integers",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, fma(n, 2, n));
                //~ fma of i32; it takes float tiles; write a * b + c for integers
              }),
       "y=i32:1"},
      {kernel("bitcast_changes_width",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, bitcast(n, f16));
                //~ bitcast of i32 to f16; both have the same width, and bool has no bits to give
                //~+ away; use cast to convert the value
              }),
       "y=f16:1"},
      {kernel("where_with_number_condition",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, where(n, 1.0f, 2.0f));
                //~ the condition of where is i32; conditions are bool; compare it: x != 0
              }),
       "y=f32:1"},
      {kernel("float_as_index",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                Index i = a;
                //~ the value of an Index is f32; integer scalars and C++ integers; cast it:
                //~+ cast(x, i64)
                y.store({i}, 1);
              }),
       "y=f32:1 a=f32"},
      {kernel("dot_mixed",
              [](In<"a"> a, In<"b"> b, Out<"c"> c) {
                Index m = tile_of(c, 0, 16);
                Tile x = a.load({m, 0}, {16, 16}), y = b.load({0, 0}, {16, 16});
                c.store({m, 0}, dot(x, y));
                //~ dot of f16[16, 16] and f32[16, 16]; two tiles of one float type, or i8 and u8;
                //~+ cast one to the other's type
              }),
       "a=f16 b=f32"},
      {kernel("dot_accumulator",
              [](In<"a"> a, Out<"c"> c) {
                Index m = tile_of(c, 0, 16);
                Tile x = a.load({m, 0}, {16, 16});
                c.store({m, 0}, dot(x, x, zeros(f16, {16, 16})));
                //~ dot of f16[16, 16] and f16[16, 16] with an accumulator f16[16, 16]; the
                //~+ accumulator is f32[16, 16]; start with zeros(f32, …)
              }),
       "a=f16 c=f16"},
      {kernel("max_of_bool",
              [](In<"a"> a, Out<"y"> y) {
                grid(1);
                y.store({0}, max(a.load({0}, {16}) > 0, 0));
                //~ max of bool[16]; bool has no order; cast it to i32 first
              }),
       "a=f32:1 y=bool:1"},
      {kernel("combine_changes_type",
              [](In<"a"> a, Out<"y"> y) {
                grid(1);
                Tile r = reduce(a.load({0}, {16}), 0, [](Tile p, Tile q) { return p < q; });
                //~ the combine function returns bool; it returns a scalar of the type it takes,
                //~+ f32; cast the result
                y.store({0}, r);
              }),
       "a=f32:1 y=f32:1"},
  };
}
