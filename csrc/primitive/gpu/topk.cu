// SPDX-License-Identifier: Apache-2.0
#include "primitive/topk.h"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_segmented_radix_sort.cuh>

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/for_each.h"
#include "primitive/gpu/topk_select.cuh"
#include "primitive/impl/types.h"
#include "primitive/loop/tensor_view.h"

namespace phi::primitive {

namespace {

constexpr int kThreads = 256;

// A block for each line.
template <typename T>
__global__ void SelectBest(
    const T* x, TopkLine line, int64_t lines, int64_t inner, OrderKey<T>* keys, int64_t* indices) {
  for (int64_t i = blockIdx.x; i < lines; i += gridDim.x) {
    const T* data = x + i / inner * line.size * inner + i % inner;
    OrderKey<T> threshold;
    int64_t ties;
    FindThreshold(data, line, &threshold, &ties);
    GatherBest<T, kThreads>(data, line, threshold, ties, keys + i * line.k, indices + i * line.k);
  }
}

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

template <typename T>
void TopKOnGpu(const DeviceContext& device_context,
               const DenseTensor& x,
               const AxisShape& shape,
               int64_t count,
               bool largest,
               bool sorted,
               DenseTensor* out,
               DenseTensor* indices) {
  using U = OrderKey<T>;
  const auto& dev_ctx = static_cast<const GPUContext&>(device_context);
  const T* data = x.data<T>();
  T* values = out->data<T>();
  int64_t* where = indices->data<int64_t>();
  const int64_t lines = shape.outer * shape.inner;
  const int64_t inner = shape.inner;
  DenseTensor keys = EmptyTensor<uint8_t>(dev_ctx, {lines * count * static_cast<int64_t>(sizeof(U))});
  DenseTensor selected = EmptyTensor<int64_t>(dev_ctx, {lines * count});
  U* key_data = static_cast<U*>(keys.data());
  const TopkLine line{shape.dim, inner, count, largest};
  backends::gpu::Launch(dev_ctx,
                        &SelectBest<T>,
                        backends::gpu::WalkedGrid(lines),
                        kThreads,
                        data,
                        line,
                        lines,
                        inner,
                        key_data,
                        selected.data<int64_t>());
  DenseTensor order;
  if (sorted && count > 1) {
    order = EmptyTensor<int64_t>(dev_ctx, {lines * count});
    SortLines(dev_ctx, lines, count, key_data, selected.data<int64_t>(), order.data<int64_t>());
  } else {
    order = selected;
  }
  const int64_t* best = order.data<int64_t>();
  const int64_t size = shape.dim;
  ForEach(dev_ctx, lines * count, [=] HOSTDEVICE(int64_t i) {
    const int64_t outer = i / (count * inner);
    const int64_t source = best[(outer * inner + i % inner) * count + i / inner % count];
    values[i] = data[(outer * size + source) * inner + i % inner];
    where[i] = source;
  });
}

[[maybe_unused]] const bool registered = RegisterForTypes<TopK>(
    Backend::GPU,
    [](auto type) { return &TopKOnGpu<typename decltype(type)::Type>; },
    Types<int32_t, int64_t>(),
    FloatingTypes());

}  // namespace

}  // namespace phi::primitive
