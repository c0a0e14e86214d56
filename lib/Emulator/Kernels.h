// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a text: where they are defined, how their parameters are bound, and which
// instantiations the host can ask for by name.
#pragma once

#include "Emulator/Attributes.h"
#include "Emulator/Scopes.h"

namespace metile::emulator {

struct KernelParameter {
  std::string name;
  std::string binding;   ///< C++ type that says how it is bound: see Shim/Entry.h.
  std::string attribute; ///< As written, for messages.
  Location location;
};

/// A function that is a kernel, perhaps a template of kernels.
struct KernelFunction {
  std::string name; ///< Without namespaces.
  bool isTemplate = false;
  std::string threadLimit; ///< Expression, or empty.
  std::vector<KernelParameter> parameters;
};

/// What a host can launch.
struct KernelEntry {
  std::string hostName;
  std::string pointer; ///< Its address in C++: "&::f<float, 4>".
  size_t function = 0; ///< Index into KernelTable::functions.
  Location location;
};

class KernelTable {
public:
  /// Finds all kernels and takes what marks them, and their instantiations, out of `editor`.
  KernelTable(TokenEditor &editor, const AttributeTable &attributes, const ScopeTable &scopes);

  std::vector<KernelFunction> functions;
  std::vector<KernelEntry> entries;

private:
  void readDefinition(size_t marker, size_t first);
  void readInstantiation(size_t keyword);
  std::string plainText(size_t first, size_t end) const;
  KernelParameter readParameter(size_t first, size_t end);
  std::string hostName(size_t first, size_t end, const std::string &otherwise) const;

  TokenEditor &editor;
  const AttributeTable &attributes;
  const ScopeTable &scopes;
};

} // namespace metile::emulator
