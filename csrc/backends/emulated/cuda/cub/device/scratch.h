// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

namespace cub::emulated {

// CUB's functions are called twice: without scratch memory they say how much they need, and else use it up.
inline bool AsksForSize(void* scratch, size_t& bytes) {
  if (scratch == nullptr) {
    bytes = 256;
    return true;
  }
  std::memset(scratch, 0xFF, bytes);
  return false;
}

}  // namespace cub::emulated
