// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Emulator/Module.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>

namespace metile::emulator {

Result<std::unique_ptr<Module>> Module::load(BuiltKernel built) {
  std::unique_ptr<Module> module(new Module);
  module->built = std::move(built);
  module->handle = dlopen(module->built.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module->handle) {
    const char *reason = dlerror();
    return error("cannot load the built kernel: " +
                 std::string(reason ? reason : "unknown reason"));
  }
  module->description =
      static_cast<const KernelModule *>(dlsym(module->handle, "metileKernelModule"));
  if (!module->description || module->description->version != abiVersion)
    return error("the built kernel is of another version of the emulator", {},
                 "remove the cache: metile cache dir tells where it is");
  link_map *map = nullptr;
  dlinfo(module->handle, RTLD_DI_LINKMAP, &map);
  module->base = map->l_addr;
  auto widen = [](dl_phdr_info *info, size_t, void *argument) {
    auto &module = *static_cast<Module *>(argument);
    if (info->dlpi_addr == module.base)
      for (unsigned i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
          module.extent = std::max<uint64_t>(module.extent, info->dlpi_phdr[i].p_vaddr +
                                                                info->dlpi_phdr[i].p_memsz);
    return 0;
  };
  dl_iterate_phdr(widen, module.get());
  return module;
}

Module::~Module() {
  if (handle)
    dlclose(handle);
}

Location Module::locateOffset(uint64_t offset) const {
  std::call_once(linesRead,
                 [this] { lines = LineTable::parse(built.libraryBytes, rewrittenName); });
  std::optional<LineTable::Position> position = lines.find(offset);
  return position ? built.map.find(position->line, position->column) : Location{};
}

Location Module::locate(Site site) const {
  if (site == 0)
    return {};
  if (site & textSite)
    return built.map.find((site & ~textSite) >> columnBits, site & ((1u << columnBits) - 1));
  // A return address follows the call; the call itself is what is looked for.
  return locateOffset(site - 1);
}

Location Module::locateAddress(uint64_t address) const { return locateOffset(address - base); }

} // namespace metile::emulator
