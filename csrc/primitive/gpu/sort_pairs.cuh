// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/loop/tensor_view.h"

namespace phi::primitive {

// `keys` in ascending order with their `values`; equal keys stay in their order.
template <typename Key>
void SortPairs(
    const GPUContext& dev_ctx, const Key* keys, Key* sorted, const int64_t* values, int64_t* order, int64_t n) {
  const auto sort = [&](void* buffer, size_t& bytes) {
    backends::gpu::Check(cub::DeviceRadixSort::SortPairs(
                             buffer, bytes, keys, sorted, values, order, n, 0, sizeof(Key) * 8, dev_ctx.stream()),
                         "cub::DeviceRadixSort");
  };
  size_t bytes = 0;
  sort(nullptr, bytes);
  DenseTensor buffer = EmptyTensor<uint8_t>(dev_ctx, {static_cast<int64_t>(bytes)});
  sort(buffer.data(), bytes);
}

}  // namespace phi::primitive
