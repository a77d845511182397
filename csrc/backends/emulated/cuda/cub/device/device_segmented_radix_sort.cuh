// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulated/devices.h"
#include "scratch.h"
#include "stable_sort.h"

namespace cub {

struct DeviceSegmentedRadixSort {
  template <typename K, typename V, typename Begin, typename End>
  static cudaError_t SortPairsDescending(void* scratch,
                                         size_t& bytes,
                                         const K* keys,
                                         K* keys_out,
                                         const V* values,
                                         V* values_out,
                                         int64_t,
                                         int64_t segments,
                                         Begin begin,
                                         End end,
                                         int,
                                         int,
                                         cudaStream_t) {
    const phi::emulated::Access access(phi::emulated::CurrentDevice());
    if (emulated::AsksForSize(scratch, bytes)) return cudaSuccess;
    for (int64_t s = 0; s < segments; ++s) {
      emulated::SortPairs<true>(keys, keys_out, values, values_out, begin[s], end[s]);
    }
    return cudaSuccess;
  }
};

}  // namespace cub
