// SPDX-License-Identifier: Apache-2.0
#include "kernels/funcs/im2col.h"

#include <algorithm>

#include "backends/gpu/gpu_launch.cuh"
#include "common/data_type.h"

namespace phi::funcs {

namespace {

constexpr int kThreads = 256;

// One thread for each element of the columns.
template <typename T>
__global__ void GatherColumns(WindowGeometry g, const T* images, T* columns, int64_t count) {
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += grid) {
    const int64_t x = i % g.windows[1];
    const int64_t y = i / g.windows[1] % g.windows[0];
    const int64_t row = i / (g.windows[1] * g.windows[0]);
    const int64_t h = y * g.stride[0] - g.padding[0] + row / g.kernel[1] % g.kernel[0] * g.dilation[0];
    const int64_t w = x * g.stride[1] - g.padding[1] + row % g.kernel[1] * g.dilation[1];
    const int64_t plane = row / (g.kernel[0] * g.kernel[1]);
    const bool inside = h >= 0 && h < g.size[0] && w >= 0 && w < g.size[1];
    columns[i] = inside ? images[(plane * g.size[0] + h) * g.size[1] + w] : T(0);
  }
}

// One thread for each element of the images, so that sums need no atomics.
template <typename T>
__global__ void SumColumns(WindowGeometry g, const T* columns, T* images, int64_t count) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  const int64_t windows = g.windows[0] * g.windows[1];
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t index = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; index < count; index += grid) {
    const int64_t w = index % g.size[1];
    const int64_t h = index / g.size[1] % g.size[0];
    const T* plane = columns + index / (g.size[0] * g.size[1]) * g.kernel[0] * g.kernel[1] * windows;
    C sum = C(0);
    for (int64_t i = 0; i < g.kernel[0]; ++i) {
      const int64_t y = WindowOf(h, i, g.padding[0], g.stride[0], g.dilation[0], g.windows[0]);
      if (y < 0) continue;
      for (int64_t j = 0; j < g.kernel[1]; ++j) {
        const int64_t x = WindowOf(w, j, g.padding[1], g.stride[1], g.dilation[1], g.windows[1]);
        if (x >= 0) sum += static_cast<C>(plane[(i * g.kernel[1] + j) * windows + y * g.windows[1] + x]);
      }
    }
    images[index] = static_cast<T>(sum);
  }
}

unsigned Blocks(const GPUContext& dev_ctx, int64_t count) {
  return std::min(backends::gpu::GridSize(count, kThreads), 32u * dev_ctx.GetSMCount());
}

}  // namespace

template <typename T>
void Im2Col(const GPUContext& dev_ctx, const WindowGeometry& g, const T* images, T* columns) {
  const int64_t count = g.images * g.rows() * g.columns();
  backends::gpu::Launch(dev_ctx, &GatherColumns<T>, Blocks(dev_ctx, count), kThreads, g, images, columns, count);
}

template <typename T>
void Col2Im(const GPUContext& dev_ctx, const WindowGeometry& g, const T* columns, T* images) {
  const int64_t count = g.images * g.channels * g.size[0] * g.size[1];
  backends::gpu::Launch(dev_ctx, &SumColumns<T>, Blocks(dev_ctx, count), kThreads, g, columns, images, count);
}

#define PHI_INSTANTIATE(T)                                                                        \
  template void Im2Col<T>(const GPUContext&, const WindowGeometry&, const T* images, T* columns); \
  template void Col2Im<T>(const GPUContext&, const WindowGeometry&, const T* columns, T* images);
PHI_INSTANTIATE(float)
PHI_INSTANTIATE(double)
PHI_INSTANTIATE(dtype::float16)
PHI_INSTANTIATE(dtype::bfloat16)
#undef PHI_INSTANTIATE

}  // namespace phi::funcs
