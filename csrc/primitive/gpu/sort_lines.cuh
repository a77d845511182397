// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_radix_sort.cuh>

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/for_each.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/tensor_view.h"

// Lines of order keys, `k` to a line, sorted with the places of their elements.
namespace phi::primitive {

struct LineStart {
  int64_t k;
  __host__ __device__ int64_t operator()(int64_t line) const { return line * k; }
};

// Sorts each line, best first; elements of equal keys stay in order.
template <typename U>
void SortLines(
    const GPUContext& dev_ctx, int64_t lines, int64_t k, const U* keys, const int64_t* indices, int64_t* sorted) {
  DenseTensor sorted_keys = EmptyTensor<uint8_t>(dev_ctx, {lines * k * static_cast<int64_t>(sizeof(U))});
  const auto starts = thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0), LineStart{k});
  const auto sort = [&](void* buffer, size_t& bytes) {
    backends::gpu::Check(cub::DeviceSegmentedRadixSort::SortPairsDescending(buffer,
                                                                            bytes,
                                                                            keys,
                                                                            static_cast<U*>(sorted_keys.data()),
                                                                            indices,
                                                                            sorted,
                                                                            lines * k,
                                                                            lines,
                                                                            starts,
                                                                            starts + 1,
                                                                            0,
                                                                            sizeof(U) * 8,
                                                                            dev_ctx.stream()),
                         "cub::DeviceSegmentedRadixSort");
  };
  size_t bytes = 0;
  sort(nullptr, bytes);
  DenseTensor buffer = EmptyTensor<uint8_t>(dev_ctx, {static_cast<int64_t>(bytes)});
  sort(buffer.data(), bytes);
}

// For each of the `k` places of a line in `order`, in [line, k]: the place to `where` and its element of x to `values`,
// in the shape of x with k along the axis. `values` may be null.
template <typename T>
void GatherLines(const GPUContext& dev_ctx,
                 const T* x,
                 const AxisShape& shape,
                 int64_t k,
                 const int64_t* order,
                 T* values,
                 int64_t* where) {
  const int64_t size = shape.dim, inner = shape.inner;
  ForEach(dev_ctx, shape.outer * inner * k, [=] HOSTDEVICE(int64_t i) {
    const int64_t outer = i / (k * inner);
    const int64_t source = order[(outer * inner + i % inner) * k + i / inner % k];
    if (values) values[i] = x[(outer * size + source) * inner + i % inner];
    where[i] = source;
  });
}

}  // namespace phi::primitive
