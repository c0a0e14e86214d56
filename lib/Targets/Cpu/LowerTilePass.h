// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering as a pass for metile-opt: metile-cpu-lower{target=… unroll=… scratch-everything}.
#pragma once

namespace metile::cpu {

void registerLowerTilePass();

} // namespace metile::cpu
