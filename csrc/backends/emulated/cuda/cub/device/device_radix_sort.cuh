// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulated/devices.h"
#include "scratch.h"
#include "stable_sort.h"

namespace cub {

struct DeviceRadixSort {
  template <typename K, typename V, typename N>
  static cudaError_t SortPairs(void* scratch,
                               size_t& bytes,
                               const K* keys,
                               K* keys_out,
                               const V* values,
                               V* values_out,
                               N count,
                               int,
                               int,
                               cudaStream_t) {
    const phi::emulated::Access access(phi::emulated::CurrentDevice());
    if (!emulated::AsksForSize(scratch, bytes)) {
      emulated::SortPairs<false>(keys, keys_out, values, values_out, 0, count);
    }
    return cudaSuccess;
  }
};

}  // namespace cub
