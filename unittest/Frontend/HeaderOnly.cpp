// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public header of the language compiles without exceptions, RTTI and warnings.
#include <metile/dsl.h>

using namespace metile;

Kernel copy = kernel("copy", [](In<"x"> x, Out<"y"> y, Const<"B", 16, 32> B) {
  Index i = tile_of(y, 0, B);
  for (Index k : range(0, 2))
    y.store({i + k}, x.load({i}, {B}));
});
