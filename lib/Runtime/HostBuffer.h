// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of devices that work in the host's memory. Must not know a device.
#pragma once

#include "metile/runtime.h"

namespace metile {

/// New memory, 64-byte aligned; too little of it is an error.
Result<Buffer> allocateOnHost(size_t bytes);
/// The caller's memory as a buffer.
Result<Buffer> adoptOnHost(void *data, size_t bytes);

} // namespace metile
