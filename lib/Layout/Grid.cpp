// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout/Grid.h"

#include <algorithm>

namespace metile {

static std::string padLeft(std::string text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// The coordinates of `number` along dims of more than one point.
static std::string shortCoordinates(const LayoutSpace &space, uint64_t number) {
  std::string text;
  std::vector<int64_t> values = space.coordinates(number);
  for (size_t i = 0; i < space.rank(); ++i)
    if (space[i].bits)
      text += (text.empty() ? "" : ":") + std::to_string(values[i]);
  return text.empty() ? "0" : text;
}

static std::string shortNames(const LayoutSpace &space) {
  std::string text;
  for (const LayoutDim &dim : space)
    if (dim.bits)
      text += (text.empty() ? "" : ":") + dim.name;
  return text.empty() ? "the only place" : text;
}

/// The grid of `tile` with the text `cell(number)` for each element.
template <class Cell>
static std::string draw(const LayoutSpace &tile, GridLimits limits, Cell cell) {
  LayoutSpace down;
  for (size_t i = 0; i + 1 < tile.rank(); ++i)
    down.append(tile[i]);
  int64_t width = tile.rank() ? tile[tile.rank() - 1].size() : 1;
  int64_t columns = std::min(limits.columns, width), rows = std::min(limits.rows, down.size());

  std::vector<std::vector<std::string>> lines(static_cast<size_t>(rows + 1));
  lines[0].push_back(down.bits() ? shortNames(down) : "");
  for (int64_t column = 0; column < columns; ++column)
    lines[0].push_back(std::to_string(column));
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<std::string> &line = lines[static_cast<size_t>(row + 1)];
    line.push_back(down.bits() ? shortCoordinates(down, static_cast<uint64_t>(row)) : "");
    for (int64_t column = 0; column < columns; ++column)
      line.push_back(cell(static_cast<uint64_t>(row * width + column)));
  }

  size_t label = 0, cells = 0;
  for (const std::vector<std::string> &line : lines) {
    label = std::max(label, line[0].size());
    for (size_t i = 1; i < line.size(); ++i)
      cells = std::max(cells, line[i].size());
  }
  std::string text;
  if (tile.rank())
    text += padLeft(tile[tile.rank() - 1].name, label + cells + 2) + "\n";
  for (const std::vector<std::string> &line : lines) {
    text += padLeft(line[0], label);
    for (size_t i = 1; i < line.size(); ++i)
      text += "  " + padLeft(line[i], cells);
    text += "\n";
  }
  if (rows < down.size() || columns < width)
    text += "shown: " + std::to_string(rows) + " of " + std::to_string(down.size()) + " rows, " +
            std::to_string(columns) + " of " + std::to_string(width) + " columns\n";
  return text;
}

std::string drawGrid(const LinearLayout &layout, GridLimits limits) {
  Elimination elimination(layout.matrix());
  std::string text = shortNames(layout.ins()) + " of each element";
  if (size_t free = elimination.kernel().size())
    text += ", which is in " + std::to_string(uint64_t(1) << free) +
            " places; the first of them is shown";
  if (!layout.isSurjective())
    text += "; '.': in no place";
  return text + "\n" + draw(layout.outs(), limits, [&](uint64_t element) -> std::string {
           auto [place, remainder] = elimination.solve(element);
           return remainder ? "." : shortCoordinates(layout.ins(), place);
         });
}

std::string drawGrid(const SharedLayout &layout, GridLimits limits) {
  return "offset of each element\n" + draw(layout.tile(), limits, [&](uint64_t element) {
           return std::to_string(layout.padded(static_cast<int64_t>(layout.offsets()(element))));
         });
}

} // namespace metile
