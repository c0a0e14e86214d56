// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Driver/WorkCounter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace metile {

namespace {

/// A view as the argument it came from: axis i of the view is axis `axes[i]` of the argument.
struct ViewOrigin {
  uint32_t argument = 0;
  std::vector<uint32_t> axes;
};

class WorkCounter {
public:
  WorkCounter(const Trace &trace, const std::vector<ArgumentSpec> &arguments)
      : trace(trace), specs(arguments), numbers(trace.types.size()) {}

  WorkSummary count() {
    for (size_t i = 0; i < trace.body.arguments.size(); ++i) {
      TraceValue value = trace.body.arguments[i];
      const ArgumentInfo &info = trace.arguments[i];
      if (info.isView()) {
        std::vector<uint32_t> axes(info.rank);
        std::iota(axes.begin(), axes.end(), 0);
        views[value] = {static_cast<uint32_t>(i), std::move(axes)};
      } else if (info.role == ArgumentRole::scalar && isInteger(info.dtype)) {
        numbers[value] = specs[i].value;
      }
    }
    region(trace.body, 1);
    return summary;
  }

private:
  const TraceType &type(TraceValue value) const { return trace.types[value]; }

  static int64_t elements(const TraceType &type) {
    int64_t product = 1;
    for (int64_t extent : type.shape)
      product *= extent;
    return product;
  }

  std::optional<int64_t> number(TraceValue value) const { return numbers[value]; }

  std::optional<int64_t> viewSize(TraceValue view, size_t axis) const {
    auto origin = views.find(view);
    if (origin == views.end() || axis >= origin->second.axes.size())
      return std::nullopt;
    return specs[origin->second.argument].sizes[origin->second.axes[axis]];
  }

  int64_t viewStride(TraceValue view, size_t axis) const {
    auto origin = views.find(view);
    if (origin == views.end() || axis >= origin->second.axes.size())
      return 0;
    const ArgumentSpec &spec = specs[origin->second.argument];
    uint32_t from = origin->second.axes[axis];
    if (!spec.strides.empty())
      return spec.strides[from];
    int64_t stride = 1;
    for (size_t i = spec.sizes.size(); i-- > from + 1;)
      stride *= spec.sizes[i];
    return stride;
  }

  static std::optional<int64_t> fold(detail::BinaryOp op, int64_t a, int64_t b) {
    auto floorDiv = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
    bool divides = b != 0 && b != -1;
    switch (op) {
    case detail::BinaryOp::add:
      return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    case detail::BinaryOp::sub:
      return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
    case detail::BinaryOp::mul:
      return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    case detail::BinaryOp::div:
      return divides ? std::optional(a / b) : std::nullopt;
    case detail::BinaryOp::rem:
      return divides ? std::optional(a % b) : std::nullopt;
    case detail::BinaryOp::floorDiv:
      return divides ? std::optional(floorDiv(a, b)) : std::nullopt;
    case detail::BinaryOp::floorMod:
      return divides ? std::optional(a - floorDiv(a, b) * b) : std::nullopt;
    case detail::BinaryOp::cdiv:
      return divides ? std::optional(-floorDiv(-a, b)) : std::nullopt;
    case detail::BinaryOp::maximum:
      return std::max(a, b);
    case detail::BinaryOp::minimum:
      return std::min(a, b);
    case detail::BinaryOp::eq:
      return a == b;
    case detail::BinaryOp::ne:
      return a != b;
    case detail::BinaryOp::lt:
      return a < b;
    case detail::BinaryOp::le:
      return a <= b;
    case detail::BinaryOp::gt:
      return a > b;
    case detail::BinaryOp::ge:
      return a >= b;
    default:
      return std::nullopt;
    }
  }

  /// Weight of an operation on one element, an addition being 1.
  static double weight(const TraceOperation &op) {
    if (op.op == TraceOp::unary) {
      switch (static_cast<detail::UnaryOp>(op.ints[0])) {
      case detail::UnaryOp::exp:
      case detail::UnaryOp::exp2:
      case detail::UnaryOp::log:
      case detail::UnaryOp::log2:
        return 12;
      case detail::UnaryOp::tanh:
      case detail::UnaryOp::erf:
      case detail::UnaryOp::sigmoid:
      case detail::UnaryOp::sin:
      case detail::UnaryOp::cos:
        return 20;
      case detail::UnaryOp::sqrt:
      case detail::UnaryOp::rsqrt:
        return 6;
      default:
        return 1;
      }
    }
    if (op.op == TraceOp::binary)
      switch (static_cast<detail::BinaryOp>(op.ints[0])) {
      case detail::BinaryOp::div:
      case detail::BinaryOp::rem:
      case detail::BinaryOp::floorDiv:
      case detail::BinaryOp::floorMod:
      case detail::BinaryOp::cdiv:
        return 6;
      default:
        return 1;
      }
    return 1;
  }

  void memory(const TraceType &tile, bool isStore, int64_t run, double footprint, double trips) {
    summary.memory.push_back({tile.dtype, isStore, double(elements(tile)) * trips, run, footprint});
  }

  void viewAccess(TraceValue view, const TraceType &tile, bool isStore, double trips) {
    // The run is as long as the tile along the axis whose elements are neighbours.
    int64_t run = 1;
    for (size_t axis = 0; axis < tile.shape.size(); ++axis)
      if (viewStride(view, axis) == 1)
        run = tile.shape[axis];
    double footprint = byteSize(tile.dtype);
    if (auto origin = views.find(view); origin != views.end())
      for (int64_t size : specs[origin->second.argument].sizes)
        footprint *= double(size);
    memory(tile, isStore, run, footprint, trips);
  }

  void pointerAccess(const TraceType &tile, bool isStore, double trips) {
    int64_t run = tile.shape.empty() ? 1 : tile.shape.back();
    memory(tile, isStore, run,
           double(elements(tile)) * byteSize(tile.dtype) * summary.programs * trips, trips);
  }

  void loop(const TraceOperation &op, double trips) {
    auto lo = number(op.operands[0]), hi = number(op.operands[1]), step = number(op.operands[2]);
    double count = 1;
    if (lo && hi && step && *step > 0)
      count = std::max<double>(0, std::ceil(double(*hi - *lo) / double(*step)));
    const TraceRegion &body = op.regions[0];
    if (lo && step)
      numbers[body.arguments[0]] = *lo + *step * static_cast<int64_t>(count / 2);
    double outerCount = std::exchange(innermostCount, count);
    region(body, trips * count);
    innermostCount = outerCount;
  }

  /// Average depth of a dot with `depth` columns on the left: what lies behind the edge of the view
  /// that they are loaded from costs nothing.
  int64_t averageDepth(TraceValue lhs, int64_t depth) const {
    auto view = loadedFrom.find(lhs);
    if (view == loadedFrom.end())
      return depth;
    std::optional<int64_t> size = viewSize(view->second, type(view->second).strides.size() - 1);
    if (!size || innermostCount < 1)
      return depth;
    return std::clamp<int64_t>(static_cast<int64_t>(std::ceil(double(*size) / innermostCount)), 0,
                               depth);
  }

  void operation(const TraceOperation &op, double trips) {
    summary.operations += trips;
    const TraceType *result = op.results.empty() ? nullptr : &type(op.results[0]);
    if (result && result->isScalar())
      numbers[op.results[0]] = scalar(op);
    switch (op.op) {
    case TraceOp::grid:
      summary.programs = 1;
      for (size_t axis = 0; axis < op.operands.size(); ++axis) {
        extents[axis] = number(op.operands[axis]).value_or(1);
        summary.programs *= double(std::max<int64_t>(0, extents[axis]));
      }
      return;
    case TraceOp::viewAt:
      if (auto origin = views.find(op.operands[0]); origin != views.end()) {
        size_t fixed = op.operands.size() - 1;
        views[op.results[0]] = {origin->second.argument,
                                {origin->second.axes.begin() + fixed, origin->second.axes.end()}};
      }
      return;
    case TraceOp::viewTranspose:
      if (auto origin = views.find(op.operands[0]); origin != views.end()) {
        ViewOrigin turned{origin->second.argument, {}};
        for (int64_t axis : op.ints)
          turned.axes.push_back(origin->second.axes[axis]);
        views[op.results[0]] = std::move(turned);
      }
      return;
    case TraceOp::viewLoad:
      loadedFrom[op.results[0]] = op.operands[0];
      summary.tileBytes += double(elements(*result)) * byteSize(result->dtype);
      return viewAccess(op.operands[0], *result, false, trips);
    case TraceOp::viewStore:
      return viewAccess(op.operands[1], type(op.operands[0]), true, trips);
    case TraceOp::load:
      summary.tileBytes += double(elements(*result)) * byteSize(result->dtype);
      return pointerAccess(*result, false, trips);
    case TraceOp::store:
      return pointerAccess(type(op.operands[1]), true, trips);
    case TraceOp::dot: {
      const TraceType &lhs = type(op.operands[0]), &rhs = type(op.operands[1]);
      size_t rank = lhs.shape.size();
      int64_t m = lhs.shape[rank - 2], k = lhs.shape[rank - 1], n = rhs.shape[rank - 1];
      int64_t batch = elements(lhs) / std::max<int64_t>(1, m * k);
      summary.tileBytes += double(elements(*result)) * byteSize(result->dtype);
      summary.dots.push_back({batch, m, n, averageDepth(op.operands[0], k), lhs.dtype, rhs.dtype,
                              result->dtype, trips});
      return;
    }
    case TraceOp::atomicRmw:
    case TraceOp::atomicCas:
      return pointerAccess(*result, true, trips);
    case TraceOp::reduce:
    case TraceOp::combine:
    case TraceOp::scan:
      summary.reducedElements += double(elements(type(op.operands[0]))) * trips;
      for (const TraceRegion &inner : op.regions)
        for (const TraceOperation &combined : inner.operations)
          summary.elementOps += weight(combined) * double(elements(type(op.operands[0]))) * trips;
      return;
    case TraceOp::sort: {
      // A network of log n · (log n + 1) / 2 rounds, each a comparison and two choices.
      const TraceType &keys = type(op.operands[0]);
      double levels = std::log2(double(keys.shape[static_cast<size_t>(op.ints[0])]));
      summary.elementOps +=
          1.5 * levels * (levels + 1) * double(elements(keys)) * double(op.operands.size()) * trips;
      return;
    }
    case TraceOp::histogram:
      summary.elementOps += 4 * double(elements(type(op.operands[0]))) * trips;
      return;
    case TraceOp::gather:
      summary.elementOps += 4 * double(elements(*result)) * trips;
      return;
    case TraceOp::forLoop:
      return loop(op, trips);
    case TraceOp::whileLoop:
    case TraceOp::ifThenElse:
      for (const TraceRegion &inner : op.regions)
        region(inner, trips);
      return;
    case TraceOp::cast:
    case TraceOp::select:
    case TraceOp::unary:
    case TraceOp::binary:
    case TraceOp::fma:
      if (!result->isScalar())
        summary.elementOps += weight(op) * double(elements(*result)) * trips;
      return;
    default:
      return;
    }
  }

  /// The value of a scalar operation, where typical sizes determine it.
  std::optional<int64_t> scalar(const TraceOperation &op) {
    switch (op.op) {
    case TraceOp::constant:
      return isInteger(type(op.results[0]).dtype) ? std::optional(op.ints[0]) : std::nullopt;
    case TraceOp::programId:
      // A program in the middle of the grid stands for all.
      return extents[op.ints[0]] / 2;
    case TraceOp::numPrograms:
      return extents[op.ints[0]];
    case TraceOp::viewSize:
      return viewSize(op.operands[0], static_cast<size_t>(op.ints[0]));
    case TraceOp::viewStride:
      return viewStride(op.operands[0], static_cast<size_t>(op.ints[0]));
    case TraceOp::cast:
      return isInteger(type(op.results[0]).dtype) ? number(op.operands[0]) : std::nullopt;
    case TraceOp::binary: {
      auto lhs = number(op.operands[0]), rhs = number(op.operands[1]);
      return lhs && rhs ? fold(static_cast<detail::BinaryOp>(op.ints[0]), *lhs, *rhs)
                        : std::nullopt;
    }
    case TraceOp::select:
      if (auto condition = number(op.operands[0]))
        return number(op.operands[*condition ? 1 : 2]);
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

  void region(const TraceRegion &body, double trips) {
    for (const TraceOperation &op : body.operations)
      operation(op, trips);
  }

  const Trace &trace;
  const std::vector<ArgumentSpec> &specs;
  std::vector<std::optional<int64_t>> numbers; ///< By value.
  std::map<TraceValue, ViewOrigin> views;
  std::map<TraceValue, TraceValue> loadedFrom; ///< The view behind a loaded tile.
  double innermostCount = 1;                   ///< Trips of the loop being counted.
  int64_t extents[3] = {1, 1, 1};
  WorkSummary summary;
};

} // namespace

WorkSummary countWork(const Trace &trace, const std::vector<ArgumentSpec> &arguments) {
  return WorkCounter(trace, arguments).count();
}

} // namespace metile
