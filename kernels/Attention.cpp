// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CaseParts.h"
#include "Kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace metile::kernels {

static constexpr double infinity = std::numeric_limits<double>::infinity();

Kernel attention() {
  return kernel("attention", [](In<"q"> q, In<"k"> k, In<"v"> v, Scalar<"scale"> scale, Out<"y"> y,
                                Option<"CAUSAL", 0, 1> causal, Const<"BLOCK_M", 32, 64, 128> M,
                                Const<"BLOCK_N", 32, 64, 128> N) {
    int64_t depth = std::bit_ceil(static_cast<uint64_t>(q.fixed_size(2)));
    Index head = tile_of(y, 0, 1), m = tile_of(y, 1, M);
    View keys = k.at({head}), values = v.at({head});
    Tile query = q.at({head}).load({m, 0}, {M, depth}), row = (m + arange(M)).expand(1);
    Tile top = full(f32, {M}, -infinity), total = zeros(f32, {M}), sum = zeros(f32, {M, depth});
    Index end = causal ? Index(minimum(keys.size(0), m + M)) : keys.size(0);
    for (Index n : range(0, end, N)) {
      Tile column = (n + arange(N)).expand(0);
      Tile seen = causal ? column < keys.size(0) && column <= row : column < keys.size(0);
      Tile scores = dot(query, keys.load({n, 0}, {N, depth}).transpose()) * scale;
      scores = where(seen, scores, -infinity);
      Tile higher = maximum(top, scores.max(1)), decay = exp(top - higher);
      Tile powers = exp(scores - higher.expand(1));
      total = total * decay + powers.sum(1);
      sum = dot(cast(powers, v.dtype()), values.load({n, 0}, {N, depth}), sum * decay.expand(1));
      top = higher;
    }
    total = where(total == 0, 1, total); // no key at all
    y.at({head}).store({m, 0}, cast(sum / total.expand(1), y.dtype()));
  });
}

/// One head by the definition; `lq`, `lk` and `d` are queries, keys and their length.
static void attend(const double *q, const double *k, const double *v, double *y, int64_t lq,
                   int64_t lk, int64_t d, double scale, bool causal) {
  std::vector<double> weight(static_cast<size_t>(lk));
  for (int64_t i = 0; i < lq; ++i) {
    int64_t seen = causal ? std::min(lk, i + 1) : lk;
    double top = -infinity, total = 0;
    for (int64_t j = 0; j < seen; ++j) {
      double score = 0;
      for (int64_t c = 0; c < d; ++c)
        score += q[i * d + c] * k[j * d + c];
      weight[static_cast<size_t>(j)] = score * scale;
      top = std::max(top, score * scale);
    }
    for (int64_t j = 0; j < seen; ++j)
      total += weight[static_cast<size_t>(j)] = std::exp(weight[static_cast<size_t>(j)] - top);
    for (int64_t c = 0; c < d; ++c) {
      double sum = 0;
      for (int64_t j = 0; j < seen; ++j)
        sum += weight[static_cast<size_t>(j)] * v[j * d + c];
      y[i * d + c] = seen ? sum / total : 0;
    }
  }
}

CaseFamily attentionCases() {
  CaseFamily family;
  family.kernel = "attention";
  family.axes = {"HEADS", "QUERIES", "KEYS", "DEPTH"};
  family.dtypes = {f16, bf16, f32};
  family.suffixes = {"causal"};
  family.defaults = {"float32_4x256x256x64", "float16_4x256x256x64_causal",
                     "float32_3x100x77x40_causal"};
  family.make = [](const CaseName &name) {
    int64_t h = name.sizes[0], lq = name.sizes[1], lk = name.sizes[2], d = name.sizes[3];
    bool causal = name.suffix == "causal";
    double scale = 1 / std::sqrt(static_cast<double>(d));
    Case made;
    made.arguments = {input("q", name.dtype, {h, lq, d}), input("k", name.dtype, {h, lk, d}),
                      input("v", name.dtype, {h, lk, d}), scalar("scale", f32, scale),
                      output("y", name.dtype, {h, lq, d})};
    made.options = {{"CAUSAL", causal}};
    made.flops = 4.0 * static_cast<double>(h * lq * lk * d) / (causal ? 2 : 1);
    for (const CaseArgument &argument : made.arguments)
      made.bytes += static_cast<double>(argument.count()) * byteSize(argument.dtype);
    // A score sums d products, all within ±√d after scaling, and its error multiplies its weight;
    // the weights sum to 1 and are rounded to the operand's type, values lie in ±1.
    made.tolerance.depth = lk + d + 32;
    made.tolerance.magnitude = 2 * std::sqrt(static_cast<double>(d));
    if (byteSize(name.dtype) == 2) {
      made.tolerance.depth = 2;
      made.tolerance.magnitude = 1;
      made.tolerance.accumulator = name.dtype;
    }
    made.reference = [=](ReferenceArrays &arrays) {
      for (int64_t i = 0; i < h; ++i)
        attend(arrays[0].data() + i * lq * d, arrays[1].data() + i * lk * d,
               arrays[2].data() + i * lk * d, arrays[4].data() + i * lq * d, lq, lk, d,
               arrays[3][0], causal);
    };
    return made;
  };
  return family;
}

} // namespace metile::kernels
