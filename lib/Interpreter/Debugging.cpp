// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that show what a kernel computes.

#include "Dialect/Tile/DebugSite.h"
#include "Interpreter/DebugSites.h"
#include "Interpreter/Execution.h"

#include "Support/ProgramId.h"

using namespace mlir;

namespace metile::interpreter {

std::vector<Operation *> debugOperations(ModuleOp module) {
  std::vector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa<tile::PrintOp, tile::ProbeOp>(op))
      operations.push_back(op);
  });
  return operations;
}

std::vector<DebugSite> debugSites(ModuleOp module) {
  std::vector<DebugSite> sites;
  for (Operation *op : debugOperations(module))
    sites.push_back(tile::debugSiteOf(op));
  return sites;
}

/// The elements as they would lie in memory.
static std::vector<std::byte> bytesOf(const Tile &tile, Type type) {
  unsigned size = bytesOf(type);
  std::vector<std::byte> bytes;
  for (const Element &element : tile.elements)
    for (unsigned i = 0; i < size; ++i)
      bytes.push_back(static_cast<std::byte>(toMemory(element, type) >> 8 * i));
  return bytes;
}

void Execution::show(Operation &op) {
  auto site = kernel.debugSites.find(&op);
  if (!debug || site == kernel.debugSites.end())
    return;
  std::vector<std::vector<std::byte>> values;
  std::vector<const void *> addresses;
  for (Value value : op.getOperands())
    values.push_back(bytesOf(get(value), value.getType()));
  for (const std::vector<std::byte> &value : values)
    addresses.push_back(value.data());
  debug->show(debug->host, site->second, program.id[0], program.id[1], program.id[2],
              addresses.data());
}

void Execution::require(tile::AssertOp op) {
  const Tile &condition = get(op.getCondition());
  for (int64_t i = 0; i < condition.count(); ++i)
    if (!condition[i].bits)
      findings.add(Findings::Kind::assertion, op, -1, [&]() -> Diagnostic {
        std::string place;
        for (int64_t coordinate : placeOf(i, condition.shape))
          place += (place.empty() ? ", element [" : ", ") + std::to_string(coordinate);
        place += place.empty() ? "" : "]";
        return {{},
                function.getName().str() + ": assertion failed: " + op.getMessage().str() +
                    ", in " + programName(program.id) + place,
                {},
                {}};
      });
}

} // namespace metile::interpreter
