// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/BankModel.h"

#include <algorithm>
#include <cassert>

namespace metile {

static bool isPowerOfTwo(int64_t value) {
  return std::has_single_bit(static_cast<uint64_t>(value));
}

int64_t BankModel::lanesInPhase(int64_t bytes, int64_t lanes) const {
  int64_t most = std::max<int64_t>(1, phaseBytes / std::max<int64_t>(1, bytes));
  return std::min(lanes, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most))));
}

namespace {

/// Counts one access of all lanes after the other.
class WavefrontCounter {
public:
  WavefrontCounter(const BankModel &model, const SharedLayout &shared, int64_t elements)
      : model(model), shared(shared), accessBits(elements * shared.elementBits()) {}

  /// One access whose lane i begins at the offset `offsets[i]`, not yet padded.
  void count(const std::vector<int64_t> &offsets, BankCost &cost) {
    size_t phase = static_cast<size_t>(
        model.lanesInPhase((accessBits + 7) / 8, static_cast<int64_t>(offsets.size())));
    for (size_t first = 0; first < offsets.size(); first += phase)
      countPhase(std::span(offsets).subspan(first, phase), cost);
    ++cost.accesses;
  }

private:
  void countPhase(std::span<const int64_t> offsets, BankCost &cost) {
    words.clear();
    int64_t wordBits = model.wordBytes * 8;
    for (int64_t offset : offsets) {
      int64_t begin = shared.padded(offset) * shared.elementBits();
      for (int64_t word = begin / wordBits; word * wordBits < begin + accessBits; ++word)
        words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    load.assign(static_cast<size_t>(model.banks), 0);
    for (int64_t word : words)
      ++load[static_cast<size_t>(word % model.banks)];
    int64_t degree = *std::max_element(load.begin(), load.end());
    cost.degree = std::max(cost.degree, degree);
    cost.wavefronts += degree;
    cost.ideal += (static_cast<int64_t>(words.size()) + model.banks - 1) / model.banks;
  }

  const BankModel &model;
  const SharedLayout &shared;
  int64_t accessBits;
  std::vector<int64_t> words, load;
};

} // namespace

BankCost countWavefronts(const BankModel &model, const LinearLayout &registers,
                         const SharedLayout &shared, const std::vector<unsigned> &accessBits) {
  Result<LinearLayout> touched = registers.then(shared.offsets());
  assert(touched.ok() && "the layout leads into another tile");
  // All other dims outside, so that the lanes of an access have consecutive numbers.
  LinearLayout::Names order;
  for (const LayoutDim &dim : touched->ins())
    if (dim.name != dims::lane)
      order.push_back(dim.name);
  if (touched->ins().find(dims::lane))
    order.push_back(dims::lane);
  LinearLayout offsets = touched->transposeIns(order);

  uint64_t covered = 0;
  if (std::optional<size_t> index = offsets.ins().find(dims::reg))
    for (unsigned bit : accessBits)
      covered |= uint64_t(1) << (offsets.ins().lowestBit(*index) + bit);
  WavefrontCounter counter(model, shared, int64_t(1) << accessBits.size());
  BankCost cost;
  uint64_t lanes = static_cast<uint64_t>(offsets.ins().sizeOf(dims::lane));
  uint64_t places = static_cast<uint64_t>(offsets.ins().size());
  std::vector<int64_t> lane(lanes);
  for (uint64_t first = 0; first < places; first += lanes) {
    if (first & covered)
      continue;
    for (uint64_t i = 0; i < lanes; ++i)
      lane[i] = static_cast<int64_t>(offsets(first + i));
    counter.count(lane, cost);
    // Without padding every access is the first one with an offset XORed to it, which permutes
    // words and, if they are a power of two, banks.
    if (shared.padding().pad == 0 && isPowerOfTwo(model.banks * model.wordBytes)) {
      int64_t count = static_cast<int64_t>((places / lanes) >> accessBits.size());
      return {count, cost.wavefronts * count, cost.ideal * count, cost.degree};
    }
  }
  return cost;
}

} // namespace metile
