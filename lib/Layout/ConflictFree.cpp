// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/ConflictFree.h"

#include <algorithm>
#include <cassert>

namespace metile {

using Vectors = std::vector<uint64_t>;

static bool contains(const Vectors &vectors, uint64_t vector) {
  return std::find(vectors.begin(), vectors.end(), vector) != vectors.end();
}

/// The bases of one in-dim, lowest bit first, as numbers of elements.
static Vectors basesOf(const LinearLayout &layout, std::string_view dim) {
  Vectors bases;
  if (std::optional<size_t> index = layout.ins().find(dim))
    for (unsigned i = 0; i < layout.ins()[*index].bits; ++i)
      bases.push_back(layout.matrix()[layout.ins().lowestBit(*index) + i]);
  return bases;
}

/// log2 of a ratio, rounded down; 0 if it is below 1.
static size_t log2Of(int64_t numerator, int64_t denominator) {
  uint64_t ratio = static_cast<uint64_t>(numerator / denominator);
  return ratio ? static_cast<size_t>(std::bit_width(ratio)) - 1 : 0;
}

namespace {

/// Chooses the bases of the offsets: first the registers of one access, then what shares a word,
/// then the banks, and last the *rows*, whose elements lie in one bank. Lanes meet in a bank if
/// they differ by a combination of rows, so rows are chosen outside of what the lanes of a phase
/// span. Such a row exists for two users as long as the span of neither is the whole space: what is
/// outside of one span may be inside of the other, but then the sum of two such vectors is outside
/// of both.
class SwizzleBuilder {
public:
  SwizzleBuilder(const BankModel &model, const TileUsers &users) : model(model), users(users) {}

  SharedLayout build() {
    chooseAccess();
    chooseRest();
    int64_t accessBits = int64_t(users.elementBits) << access.size();
    size_t wordCount = std::min(log2Of(model.wordBytes * 8, accessBits), rest.size());
    size_t lowCount = std::min(log2Of(model.banks * model.wordBytes * 8, accessBits), rest.size());
    Vectors words(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(wordCount));
    Vectors rows = chooseRows(words, rest.size() - std::max(lowCount, wordCount));

    Vectors bases = access;
    bases.insert(bases.end(), words.begin(), words.end());
    Elimination taken{BitMatrix(words)};
    for (uint64_t row : rows)
      taken.addIfIndependent(row);
    for (uint64_t vector : rest)
      if (taken.addIfIndependent(vector))
        bases.push_back(vector);
    bases.insert(bases.end(), rows.begin(), rows.end());
    const LayoutSpace &tile = users.layouts.front().outs();
    LinearLayout elements({{dims::offset, tile.size()}}, tile, BitMatrix(bases));
    return *SharedLayout::create(elements, users.elementBits, {}, users.maxAccessBytes);
  }

private:
  /// Registers that every user has and that no combination of its other bases reaches: an access
  /// covers them in one order, wherever it begins.
  void chooseAccess() {
    size_t most = log2Of(users.maxAccessBytes * 8, users.elementBits);
    size_t all = rankWithout({});
    for (uint64_t vector : basesOf(users.layouts.front(), dims::reg)) {
      Vectors longer = access;
      longer.push_back(vector);
      bool isShared =
          std::all_of(users.layouts.begin(), users.layouts.end(), [&](const LinearLayout &user) {
            return contains(basesOf(user, dims::reg), vector);
          });
      if (isShared && longer.size() <= most && rankWithout(longer) + longer.size() == all)
        access = longer;
    }
  }

  /// The rank of all bases of all users except for one copy of `removed` in each.
  size_t rankWithout(const Vectors &removed) const {
    Elimination span;
    for (const LinearLayout &user : users.layouts) {
      Vectors left = removed;
      for (unsigned i = 0; i < user.matrix().width(); ++i) {
        auto found = std::find(left.begin(), left.end(), user.matrix()[i]);
        if (found == left.end())
          span.addIfIndependent(user.matrix()[i]);
        else
          left.erase(found);
      }
    }
    return span.rank();
  }

  /// What completes the access to a basis of the tile: lanes first, since neighbouring lanes had
  /// better share a word, then all else, and what no user has.
  void chooseRest() {
    Elimination span{BitMatrix(access)};
    auto take = [&](uint64_t vector) {
      if (!contains(access, vector) && span.addIfIndependent(vector))
        rest.push_back(vector);
    };
    for (const LinearLayout &user : users.layouts)
      for (uint64_t lane : basesOf(user, dims::lane))
        take(lane);
    for (const LinearLayout &user : users.layouts)
      for (unsigned i = 0; i < user.matrix().width(); ++i)
        take(user.matrix()[i]);
    for (unsigned i = 0; i < users.layouts.front().outs().bits(); ++i)
      take(uint64_t(1) << i);
  }

  Vectors chooseRows(const Vectors &words, size_t count) const {
    Elimination taken{BitMatrix(words)};
    std::vector<Elimination> spans;
    for (const LinearLayout &user : users.layouts) {
      Vectors lanes = basesOf(user, dims::lane);
      int64_t bytes = ((int64_t(users.elementBits) << access.size()) + 7) / 8;
      lanes.resize(log2Of(model.lanesInPhase(bytes, int64_t(1) << lanes.size()), 1));
      spans.emplace_back(BitMatrix(words));
      for (uint64_t lane : lanes)
        spans.back().addIfIndependent(lane);
    }
    Vectors rows;
    while (rows.size() < count) {
      uint64_t row = bestRow(taken, spans);
      rows.push_back(row);
      taken.addIfIndependent(row);
      for (Elimination &span : spans)
        span.addIfIndependent(row);
    }
    std::reverse(rows.begin(), rows.end());
    return rows;
  }

  /// The vector that is outside of most spans; vectors of `rest` go before sums of two of them.
  uint64_t bestRow(const Elimination &taken, const std::vector<Elimination> &spans) const {
    uint64_t best = 0;
    std::ptrdiff_t bestCount = -1;
    auto consider = [&](uint64_t vector) {
      auto count = std::count_if(spans.begin(), spans.end(),
                                 [&](const Elimination &span) { return !span.inImage(vector); });
      if (count > bestCount && !taken.inImage(vector)) {
        best = vector;
        bestCount = count;
      }
    };
    for (size_t i = rest.size(); i-- > 0;)
      consider(rest[i]);
    for (size_t i = rest.size(); i-- > 0;)
      for (size_t j = i; j-- > 0;)
        consider(rest[i] ^ rest[j]);
    return best;
  }

  const BankModel &model;
  const TileUsers &users;
  Vectors access, rest;
};

} // namespace

BestAccess bestAccess(const BankModel &model, const LinearLayout &layout,
                      const SharedLayout &shared, int64_t maxBytes) {
  std::vector<unsigned> bits = shared.accessBits(layout, maxBytes);
  BestAccess best{bits, countWavefronts(model, layout, shared, bits)};
  while (!bits.empty()) {
    bits.pop_back();
    BankCost cost = countWavefronts(model, layout, shared, bits);
    if (cost.wavefronts < best.cost.wavefronts)
      best = {bits, cost};
  }
  return best;
}

BankCost totalCost(const BankModel &model, const TileUsers &users, const SharedLayout &shared) {
  BankCost total;
  for (const LinearLayout &layout : users.layouts) {
    BankCost cost = bestAccess(model, layout, shared, users.maxAccessBytes).cost;
    total.accesses += cost.accesses;
    total.wavefronts += cost.wavefronts;
    total.ideal += cost.ideal;
    total.degree = std::max(total.degree, cost.degree);
  }
  return total;
}

SharedLayout conflictFreeSwizzle(const BankModel &model, const TileUsers &users) {
  assert(!users.layouts.empty());
  return SwizzleBuilder(model, users).build();
}

SharedLayout leastPadding(const BankModel &model, const TileUsers &users) {
  assert(!users.layouts.empty());
  const LayoutSpace &tile = users.layouts.front().outs();
  int64_t row = tile.rank() ? tile[tile.rank() - 1].size() : 1;
  auto paddedBy = [&](int64_t pad) {
    return *SharedLayout::rowMajor(tile, users.elementBits, {row, pad}, users.maxAccessBytes);
  };
  SharedLayout best = paddedBy(0);
  BankCost bestCost = totalCost(model, users, best);
  // Fewer turns than the widest accesses need at best are not to be had. Padding by all banks is
  // padding by none.
  int64_t ideal = 0;
  for (const LinearLayout &layout : users.layouts)
    ideal +=
        countWavefronts(model, layout, best, best.accessBits(layout, users.maxAccessBytes)).ideal;
  int64_t step = std::max<int64_t>(1, model.wordBytes * 8 / users.elementBits);
  int64_t period = model.banks * model.wordBytes * 8 / users.elementBits;
  for (int64_t pad = step; pad < period && bestCost.wavefronts > ideal; pad += step) {
    SharedLayout candidate = paddedBy(pad);
    BankCost cost = totalCost(model, users, candidate);
    if (cost.wavefronts < bestCost.wavefronts) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

} // namespace metile
