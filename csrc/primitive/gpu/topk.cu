// SPDX-License-Identifier: Apache-2.0
#include "primitive/topk.h"

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/gpu/sort_lines.cuh"
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
  GatherLines(dev_ctx, data, shape, count, order.data<int64_t>(), values, where);
}

[[maybe_unused]] const bool registered = RegisterForTypes<TopK>(
    Backend::GPU,
    [](auto type) { return &TopKOnGpu<typename decltype(type)::Type>; },
    Types<int32_t, int64_t>(),
    FloatingTypes());

}  // namespace

}  // namespace phi::primitive
