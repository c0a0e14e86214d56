// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support/CacheFolder.h"

#include <cstdlib>

namespace fs = std::filesystem;

namespace metile {

fs::path cacheFolder(const std::string &given) {
  if (!given.empty())
    return given;
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (fs::path own = variable("METILE_CACHE_DIR"); !own.empty())
    return own;
  if (fs::path xdg = variable("XDG_CACHE_HOME"); !xdg.empty())
    return xdg / "metile";
  if (fs::path home = variable("HOME"); !home.empty())
    return home / ".cache" / "metile";
  return {};
}

} // namespace metile
