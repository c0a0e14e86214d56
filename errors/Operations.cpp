// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Errors.h"

#include <array>
#include <tuple>

using namespace metile;

std::vector<WrongKernel> metile::wrongOperations() {
  return {
      {kernel("cumsum_axis",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, x.load({0}, {16}).cumsum(1));
                //~ cumsum along axis 1 of f32[16]; its axes are 0 to 0, or -1 to -1
              }),
       "x=f32:1 y=f32:1"},
      {kernel("cumprod_of_addresses",
              [](Ptr<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, cumprod(x + arange(16), 0));
                //~ cumprod of pointer to f32 [16]; it takes a tile of numbers; load the elements
                //~+ first
              }),
       "y=f32:1"},
      {kernel("scan_changes_type",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0}, {16});
                auto narrow = [](Tile a, Tile b) { return cast(a + b, f16); };
                y.store({0}, associative_scan(t, 0, narrow));
                //~ the combine function returns f16; it returns a scalar of the type it takes, f32;
                //~+ cast the result
              }),
       "x=f32:1 y=f32:1"},
      {kernel("scan_of_two_shapes",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                std::pair both(x.load({0}, {16}), arange(32));
                auto [a, b] = associative_scan(both, 0, [](auto p, auto) { return p; });
                //~ associative_scan of f32[16] and i64[32]; all tiles have one shape; use
                //~+ broadcast_to
                y.store({0}, a);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("scan_in_a_combine_function",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0}, {16});
                y.store({0},
                        t.reduce(0, [&](Tile a, Tile b) { return a + b + t.cumsum(0).sum(0); }));
                //~ cumsum inside a combine function; a combine function only computes with its
                //~+ scalars; move it out of the function
              }),
       "x=f32:1 y=f32:1"},
      {kernel("combine_assigns_outside",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile count = zeros(i32, {});
                Tile total = reduce(x.load({0}, {16}), 0, [&](Tile a, Tile b) {
                  //~ the combine function assigns a tile declared outside it; a combine function
                  //~+ only computes its result; return the value instead
                  count = count + 1;
                  return a + b;
                });
                y.store({0}, total);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("combine_counts_in_cpp",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                int calls = 0;
                Tile total =
                    reduce(x.load({0}, {16}), 0, [&](Tile a, Tile b) { return a + b * ++calls; });
                //~ this body did something else when it was traced a second time; a body is a
                //~+ pure function: it may not depend on C++ variables that it changes; make the
                //~+ variable an Index or a Tile declared before the body
                y.store({0}, total);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("combine_of_another_size",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                std::vector<Tile> both{x.load({0}, {16}), x.load({16}, {16})};
                auto sums = reduce(both, 0, [](std::vector<Tile> a, std::vector<Tile> b) {
                  //~ the combine function returns 1 tile; it returns as many as it combines, 2
                  return std::vector<Tile>{a[0] + b[0]};
                });
                y.store({0}, sums[0]);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("reduce_of_nothing",
              [](Out<"y"> y) {
                grid(1);
                reduce(std::tuple<>(), 0, [](auto a, auto) { return a; });
                //~ reduce of no tile; it takes a tile, or a struct or tuple of tiles
                y.store({0}, 1);
              }),
       "y=f32:1"},
      {kernel("join_of_two_types",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0}, {16});
                y.store({0, 0}, join(t, cast(t, f16)));
                //~ join of f32[16] and f16[16]; both have one type; cast one of them
              }),
       "x=f32:1"},
      {kernel("interleave_with_a_pointer",
              [](Ptr<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, interleave(load(x), x));
                //~ interleave of f32 and pointer to f32; both have one type; cast one of them
              }),
       "y=f32:1"},
      {kernel("split_of_pairs_elsewhere",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                auto [a, b] = split(x.load({0, 0}, {2, 16}));
                //~ split of f32[2, 16]; its last axis has extent 2; reshape it to […, 2], or
                //~+ permute that axis to the end
                y.store({0}, a + b);
              }),
       "y=f32:1"},
      {kernel("flip_axis",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, flip(x.load({0}, {16}), -2));
                //~ flip along axis -2 of f32[16]; its axes are 0 to 0, or -1 to -1
              }),
       "x=f32:1 y=f32:1"},
      {kernel("gather_by_floats",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile t = x.load({0}, {16});
                y.store({0}, gather(t, t, 0));
                //~ gather from f32[16] by f32[16]; indices are integers; cast them: cast(index,
                //~+ i64)
              }),
       "x=f32:1 y=f32:1"},
      {kernel("gather_by_a_row",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0, 0}, gather(x.load({0, 0}, {4, 16}), arange(16), 1));
                //~ gather from f32[4, 16] by i64[16]; both have one rank; insert axes with
                //~+ expand(index, axis)
              }),
       ""},
      {kernel("gather_other_axes",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0, 0}, gather(x.load({0, 0}, {4, 16}), expand(arange(8), 0), 1));
                //~ gather from f32[4, 16] by i64[1, 8] along axis 1; all other axes are equal;
                //~+ broadcast the indices along axis 0
              }),
       ""},
      {kernel("sort_axis",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, sort(x.load({0}), 0));
                //~ sort along axis 0 of f32; it has no axes
              }),
       "x=f32:1 y=f32:1"},
      {kernel("topk_more_than_there_are",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, topk(x.load({0}, {16}), 32));
                //~ topk with k = 32 of f32[16] along axis 0; k is at most the extent, 16; use a
                //~+ smaller k
              }),
       "x=f32:1 y=f32:1"},
      {kernel("topk_of_ten",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                auto [values, at] = topk_with_indices(x.load({0}, {16}), 10);
                //~ topk_with_indices with k = 10; extents are powers of two; the nearest are 8 and
                //~+ 16
                y.store({0}, values);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("histogram_of_floats",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, histogram(x.load({0}, {64}), 16));
                //~ histogram of f32[64]; it counts a tile of integers; cast the tile: cast(x, i32)
              }),
       "x=f32:1 y=i32:1"},
      {kernel("histogram_bins",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, histogram(x.load({0}, {64}), 100));
                //~ histogram with 100 bins; extents are powers of two; the nearest are 64 and 128
              }),
       "x=i32:1 y=i32:1"},
      {kernel("umulhi_of_signed",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                y.store({0}, umulhi(n, 3));
                //~ umulhi of i32 and i32; it takes unsigned integers; use mulhi, or cast both to
                //~+ unsigned
              }),
       "y=i32:1"},
      {kernel("mulhi_of_floats",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, mulhi(a, a));
                //~ mulhi of f32 and f32; it takes integers; cast first
              }),
       "y=f32:1 a=f32"},
      {kernel("dot_of_two_kinds_of_bytes",
              [](In<"a"> a, In<"b"> b, Out<"c"> c) {
                grid(1);
                c.store({0, 0}, dot(a.load({0, 0}, {16, 16}), b.load({0, 0}, {16, 16})));
                //~ dot of f8e4m3[16, 16] and f8e5m2[16, 16]; two tiles of one float type, or i8
                //~+ and u8; cast one to the other's type
              }),
       "a=f8e4m3 b=f8e5m2"},
      {kernel("bytes_become_wide",
              [](InOut<"x"> x) {
                grid(1);
                x.store({0}, x.load({0}, {16}) * 2);
                //~ store of f32[16] into memory of f8e4m3; a store converts nothing; cast the
                //~+ value: cast(x, f8e4m3)
              }),
       "x=f8e4m3:1"},
      {kernel("clamp_by_a_tile_of_another_shape",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, clamp(x.load({0}, {16}), 0, x.load({0}, {32})));
                //~ shapes [16] and [32] differ along axis 0; extents are equal or 1; load or make
                //~+ both with the same extent
              }),
       "x=f32:1 y=f32:1"},
      {kernel("atomic_on_in",
              [](In<"x"> x) {
                grid(1);
                x.atomic_add({0}, 1);
                //~ atomic_add on In argument 'x'; an atomic operation reads and writes; declare it
                //~+ InOut<"x">
              }),
       "x=f32:1"},
      {kernel("atomic_on_out",
              [](Out<"y"> y) {
                grid(1);
                y.atomic_max({0, 0}, zeros(f32, {4, 4}));
                //~ atomic_max on Out argument 'y'; an atomic operation reads and writes; declare
                //~+ it InOut<"y">
              }),
       ""},
      {kernel("atomic_converts_nothing",
              [](Ptr<"p"> p, Scalar<"n"> n) {
                grid(1);
                atomic_add(p, n);
                //~ atomic_add with i32 on memory of f32; an atomic operation converts nothing;
                //~+ cast the value: cast(x, f32)
              }),
       ""},
      {kernel("atomic_bits_of_floats",
              [](Ptr<"p"> p) {
                grid(1);
                atomic_xor(p, 1);
                //~ atomic_xor on memory of f32; bit operations take integers and bool
              }),
       ""},
      {kernel("atomic_sum_of_bools",
              [](Ptr<"p"> p) {
                grid(1);
                atomic_add(p, true);
                //~ atomic_add on memory of bool; bool has no arithmetic and no order; use
                //~+ atomic_or or atomic_and
              }),
       "p=bool"},
      {kernel("atomic_on_bytes",
              [](Ptr<"p"> p) {
                grid(1);
                atomic_add(p, 1);
                //~ atomic_add on memory of f8e4m3; floats of 8 bits are only stored; use memory of
                //~+ f32
              }),
       "p=f8e4m3"},
      {kernel("atomic_through_a_number",
              [](Ptr<"p"> p) {
                grid(1);
                Tile x = load(p);
                atomic_cas(x, 0, 1);
                //~ atomic_cas through i32; a pointer or a tile of pointers; a Ptr parameter plus
                //~+ offsets is one: load(x + i)
              }),
       "p=i32"},
      {kernel("atomic_mask",
              [](Ptr<"p"> p, Scalar<"n"> n) {
                grid(1);
                atomic_min(p + arange(16), 0, n);
                //~ the mask of atomic_min is i32; conditions are bool; compare it: x != 0
              }),
       ""},
      {kernel("atomic_tile_through_one_pointer",
              [](Ptr<"p"> p) {
                grid(1);
                atomic_add(p, zeros(f32, {16}));
                //~ atomic_add of f32[16] through one pointer; there is one pointer for each
                //~+ element; reduce the tile first, or add offsets to the pointer
              }),
       ""},
      {kernel("atomic_rank",
              [](InOut<"x"> x) {
                grid(1);
                x.atomic_add({0, 0}, zeros(f32, {16}));
                //~ atomic_add of a tile [16] on a view of f32, rank 2; a tile has one axis for
                //~+ each axis of the view; insert axes with expand(x, axis), or fix axes of the
                //~+ view with at()
              }),
       ""},
      {kernel("atomic_in_a_combine_function",
              [](In<"x"> x, Out<"y"> y, Ptr<"p"> p) {
                grid(1);
                Tile total = reduce(x.load({0}, {16}), 0, [&](Tile a, Tile b) {
                  atomic_add(p, 1);
                  //~ atomic_add inside a combine function; a combine function only computes with
                  //~+ its scalars; move it out of the function
                  return a + b;
                });
                y.store({0}, total);
              }),
       "x=f32:1 y=f32:1"},
      {kernel("print_of_an_address",
              [](Ptr<"p"> p) {
                grid(1);
                print("p", p);
                //~ print of pointer to f32; it takes a tile of numbers; load the elements first
              }),
       ""},
      {kernel("assert_a_number",
              [](Ptr<"p"> p, Scalar<"n"> n) {
                grid(1);
                device_assert(n, "n is there");
                //~ the condition of device_assert is i32; conditions are bool; compare it: x != 0
                store(p, 1);
              }),
       ""},
      {kernel("probe_without_a_name",
              [](In<"x"> x) {
                grid(1);
                probe("", x.load({0, 0}));
                //~ a probe without a name; the name tells probes apart; name it after the value
              }),
       ""},
      {kernel("probe_in_a_combine_function",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                y.store({0}, reduce(x.load({0}, {16}), 0, [](Tile a, Tile b) {
                          probe("a", a);
                          //~ probe inside a combine function; a combine function only computes
                          //~+ with its scalars; move it out of the function
                          return a + b;
                        }));
              }),
       "x=f32:1 y=f32:1"},
      {kernel("random_by_floats",
              [](Out<"y"> y, Scalar<"a"> a) {
                grid(1);
                y.store({0}, rand(a, arange(16)));
                //~ the seed is f32; integer tiles and C++ integers; cast it: cast(x, i64)
              }),
       "y=f32:1 a=f32"},
      {kernel("random_seed_is_a_fraction",
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, randn(0.5, arange(16)));
                //~ the seed is no integer; integer tiles and C++ integers
              }),
       "y=f32:1"},
      {kernel("inside_a_sub_kernel",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                auto halves = inlined([](Tile t) { return std::pair(t.sum(0), t.sum(1)); });
                //~ sum along axis 1 of f32[16]; its axes are 0 to 0, or -1 to -1
                auto [columns, rows] = halves(x.load({0}, {16}));
                //~ note: called from here
                y.store({0}, columns + rows);
              }),
       "x=f32:1 y=f32:1"},
  };
}
