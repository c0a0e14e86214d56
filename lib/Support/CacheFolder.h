// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where meTile keeps on disk what it made once. Knows nothing of what that is.
#pragma once

#include <filesystem>
#include <string>

namespace metile {

/// `given`, else $METILE_CACHE_DIR, else $XDG_CACHE_HOME/metile, else ~/.cache/metile, else
/// nothing, which means that nothing is kept. The folder need not exist.
std::filesystem::path cacheFolder(const std::string &given);

} // namespace metile
