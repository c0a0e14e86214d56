// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Errors.h"

using namespace metile;

std::vector<WrongKernel> metile::wrongControl() {
  return {
      {kernel("no_grid", [](Out<"y"> y) { y.store({0, 0}, 1); }), ""},
      //~ kernel 'no_grid' declares no grid; a kernel calls tile_of or grid; grid(1) runs a single
      //~+ program
      {kernel("two_grids",
              [](Out<"y"> y) {
                grid(1);
                grid(2);
                //~ a second grid; a kernel declares its grid once; remove one; the first is on
                //~+ line 13
                y.store({0, 0}, 1);
              }),
       ""},
      {kernel("grid_and_tile_of",
              [](Out<"y"> y) {
                Index i = tile_of(y, 0, 16);
                grid(2);
                //~ grid in a kernel that uses tile_of; one of the two; remove grid
                y.store({i, 0}, 1);
              }),
       ""},
      {kernel("program_id_with_tile_of",
              [](Out<"y"> y) {
                Index i = tile_of(y, 0, 16);
                y.store({i + program_id(0), 0}, 1);
                //~ program_id or num_programs in a kernel that uses tile_of; with tile_of the
                //~+ order of programs is the compiler's; use the Index that tile_of returns, or
                //~+ declare the grid with grid
              }),
       ""},
      {kernel("grid_from_memory",
              [](In<"n"> n, Out<"y"> y) {
                grid(n.load({0}));
                //~ the extent of the grid along x is not known at the launch; sizes, strides,
                //~+ integer scalars and constants joined by + - * cdiv minimum maximum
                y.store({0}, 1);
              }),
       "n=i32:1 y=f32:1"},
      {kernel("grid_in_a_loop",
              [](Out<"y"> y) {
                for (Index i : range(3)) {
                  grid(3);
                  //~ grid inside a loop; the grid is declared once, before everything conditional;
                  //~+ move it to the top of the body
                  y.store({i}, 1);
                }
                grid(1);
              }),
       "y=f32:1"},
      {kernel("axis_of_the_grid",
              [](Out<"y"> y) {
                grid(4);
                y.store({program_id(1)}, 1);
                //~ program_id along axis 1 of a grid with 1 axis; the axes are those given to
                //~+ grid; give grid one more extent
              }),
       "y=f32:1"},
      {kernel("block_of_tile_of",
              [](Out<"y"> y) {
                Index i = tile_of(y, 0, 48);
                //~ tile_of with extent 48 along axis 0 of a tile; extents are powers of two; the
                //~+ nearest are 32 and 64
                y.store({i, 0}, 1);
              }),
       ""},
      {kernel("type_changes_in_a_loop",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile sum = zeros(f16, {16});
                for (Index i : range(4))
                  sum = sum + x.load({i}, {16});
                //~ this tile is f16[16] before the loop and f32[16] after a trip; a tile that a
                //~+ loop carries keeps its type; give it one type: cast or reshape before the
                //~+ assignment
                y.store({0}, cast(sum, f32));
              }),
       "x=f32:1 y=f32:1"},
      {kernel("first_assigned_in_a_loop",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                Tile last;
                for (Index i : range(4))
                  last = x.load({i}, {16});
                y.store({0}, last);
                //~ this tile is first assigned inside a loop; it has no value if the loop makes no
                //~+ trip; give it a value before the loop
              }),
       "x=f32:1 y=f32:1"},
      {kernel("never_assigned",
              [](Out<"y"> y) {
                grid(1);
                Tile t;
                y.store({0}, t + 1);
                //~ this tile has no value yet; a tile is read after it was assigned; give it a
                //~+ value where it is declared
              }),
       "y=f32:1"},
      {kernel("assigned_in_one_branch",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                Tile t;
                if_(n > 3, [&] { t = full(f32, {}, 1); });
                y.store({0}, t);
                //~ this tile has no value where the condition is false; give it a value before the
                //~+ if_ or in both branches
              }),
       "y=f32:1"},
      {kernel("branches_of_two_types",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                Tile t;
                if_(n > 3, [&] { t = full(f32, {}, 1); }).else_([&] { t = full(f16, {}, 1); });
                y.store({0}, t);
                //~ this tile is f32 where the condition is true and f16 where it is false; give it
                //~+ one type in both cases: cast or reshape before the assignment
              }),
       "y=f32:1"},
      {kernel("break_leaves_the_loop",
              [](Out<"y"> y) {
                grid(1);
                for (Index i : range(4)) {
                  //~ break or return left this loop; the body of a loop over traced values runs to
                  //~+ its end; use while_ with a condition, or if_ in the body
                  y.store({i}, 1);
                  break;
                }
              }),
       "y=f32:1"},
      {kernel("counter_in_cpp",
              [](Out<"y"> y) {
                grid(1);
                int count = 0;
                Tile sum = zeros(f32, {});
                for (Index i : range(4)) {
                  ++count;
                  sum = sum + cast(i, f32) * count;
                  //~ this body did something else when it was traced a second time; a body is a
                  //~+ pure function: it may not depend on C++ variables that it changes; make the
                  //~+ variable an Index or a Tile declared before the body
                }
                y.store({0}, sum);
              }),
       "y=f32:1"},
      {kernel("flag_set_in_a_branch",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                bool done = false;
                if_(n > 3, [&] { done = true; });
                y.store({0}, done ? 1 : 2);
                //~ this depends on a C++ variable that the body of an if_ changes; both branches
                //~+ are traced, whatever the condition will be; make the variable a Tile or an
                //~+ Index, or use where
              }),
       "y=f32:1"},
      {kernel("tile_condition",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                if_(x.load({0}, {16}) > 0, [&] { y.store({0}, 1); });
                //~ the condition of if_ is bool[16]; one bool decides for the whole program; use
                //~+ where for a choice per element, or reduce the condition to a scalar
              }),
       "x=f32:1 y=f32:1"},
      {kernel("number_condition",
              [](Out<"y"> y, Scalar<"n"> n) {
                grid(1);
                while_([&] { return n; }, [&] { y.store({0}, 1); });
                //~ the condition of while_ is i32; conditions are bool; compare it: x != 0
              }),
       "y=f32:1"},
      {kernel("step_backwards",
              [](Out<"y"> y) {
                grid(1);
                for (Index i : range(10, 0, -1))
                  //~ a step of -1; the step is positive; count upwards and compute the index from
                  //~+ the counter
                  y.store({i}, 1);
              }),
       "y=f32:1"},
      {kernel("return_if_in_a_loop",
              [](Out<"y"> y) {
                grid(1);
                for (Index i : range(10)) {
                  return_if(i > 3);
                  //~ return_if inside a loop; return_if stands outside loops;
                  //~+ use if_ around the rest of the body
                  y.store({i}, 1);
                }
              }),
       "y=f32:1"},
      {kernel("tile_leaves_its_loop",
              [](In<"x"> x, Out<"y"> y) {
                grid(1);
                std::vector<Tile> rows;
                for (Index i : range(2))
                  rows.push_back(x.load({i}));
                y.store({0}, rows.back());
                //~ this tile was made inside a loop or branch that has ended; values leave a body
                //~+ through tiles declared outside it; declare the tile before the loop or branch
              }),
       "x=f32:1 y=f32:1"},
      {kernel("exception",
              //~ the body of kernel 'exception' threw an exception; a body ends normally;
              //~+ report mistakes with host code before the kernel is made
              [](Out<"y"> y) {
                grid(1);
                y.store({0}, 1);
                throw 1;
              }),
       "y=f32:1"},
      {kernel("constant_outside_its_list",
              //~ constant BLOCK_M of kernel 'constant_outside_its_list' is 48; its values are
              //~+ 32, 64 and 128; the nearest is 32
              [](Out<"y"> y, Const<"BLOCK_M", 32, 64, 128> B) { tile_of(y, 0, B); }),
       "BLOCK_M=48"},
      {kernel("same_name", [](In<"x">, Out<"x">) { grid(1); }), ""},
      //~ two parameters of kernel 'same_name' are named 'x'; names are unique; rename one
  };
}
