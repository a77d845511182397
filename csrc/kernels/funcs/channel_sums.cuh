// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/ceil_div.h"
#include "kernels/funcs/channel_shape.h"
#include "primitive/gpu/axis_team.cuh"
#include "primitive/gpu/for_each.cuh"

// Sums per channel of [outer, channels, inner] on the GPU. They are made in two steps, of parts and of their sums, so
// that they need no atomics and are the same in every run.
namespace phi::funcs {

template <typename MT, int K>
struct Sums {
  MT values[K] = {};
  __device__ Sums operator+(const Sums& o) const {
    Sums sum;
    for (int k = 0; k < K; ++k) sum.values[k] = values[k] + o.values[k];
    return sum;
  }
};

template <typename MT, int K>
__device__ Sums<MT, K> ShuffleXor(const Sums<MT, K>& sums, int lanes) {
  Sums<MT, K> other;
  for (int k = 0; k < K; ++k) other.values[k] = __shfl_xor_sync(0xffffffffu, sums.values[k], lanes);
  return other;
}

namespace detail {

inline constexpr int kColumns = 32;
inline constexpr int kRows = 16;

// Channels are columns: a block sums 32 of them over the rows [blockIdx.y * rows, ...) into partial[blockIdx.y][k][c].
template <typename MT, int K, typename F>
__global__ void ColumnSumsKernel(ChannelShape shape, int64_t rows, F f, MT* partial) {
  __shared__ MT shared[kRows][K][kColumns];
  const int64_t c = int64_t(blockIdx.x) * kColumns + threadIdx.x;
  const int64_t begin = int64_t(blockIdx.y) * rows;
  const int64_t end = min(begin + rows, shape.outer);
  Sums<MT, K> sums;
  if (c < shape.channels) {
    for (int64_t row = begin + threadIdx.y; row < end; row += kRows) sums = sums + f(row * shape.channels + c, c);
  }
  for (int k = 0; k < K; ++k) shared[threadIdx.y][k][threadIdx.x] = sums.values[k];
  __syncthreads();
  if (threadIdx.y >= K || c >= shape.channels) return;
  MT total = 0;
  for (int i = 0; i < kRows; ++i) total += shared[i][threadIdx.y][threadIdx.x];
  partial[(int64_t(blockIdx.y) * K + threadIdx.y) * shape.channels + c] = total;
}

// Channels are planes: a block sums the plane of channel blockIdx.x in the images [blockIdx.y * images, ...).
template <typename MT, int K, typename F>
__global__ void PlaneSumsKernel(ChannelShape shape, int64_t images, F f, MT* partial) {
  const int64_t c = blockIdx.x;
  const int64_t begin = int64_t(blockIdx.y) * images;
  const int64_t end = min(begin + images, shape.outer);
  const int warps = blockDim.x / 32;
  Sums<MT, K> sums;
  // a warp takes a plane of its own if planes are small
  const bool small = shape.inner < int64_t(blockDim.x) * 4;
  const int64_t first = small ? threadIdx.x / 32 : 0;
  const int64_t lane = small ? threadIdx.x % 32 : threadIdx.x;
  const int64_t lanes = small ? 32 : blockDim.x;
  for (int64_t n = begin + first; n < end; n += small ? warps : 1) {
    const int64_t at = (n * shape.channels + c) * shape.inner;
    for (int64_t s = lane; s < shape.inner; s += lanes) sums = sums + f(at + s, c);
  }
  sums = primitive::RowTeam::Reduce(sums, primitive::AddOp());
  if (threadIdx.x < K) partial[(int64_t(blockIdx.y) * K + threadIdx.x) * shape.channels + c] = sums.values[threadIdx.x];
}

// Adds up the parts.
template <typename MT>
struct AddParts {
  const MT* partial;
  int64_t parts;
  int64_t width;
  MT* out;

  __device__ void operator()(int64_t i) const {
    MT sum = 0;
    for (int64_t p = 0; p < parts; ++p) sum += partial[p * width + i];
    out[i] = sum;
  }
};

}  // namespace detail

// out[k * channels + c] = the sum of f(element, c).values[k] over the elements of channel c.
template <typename MT, int K, typename F>
void ChannelSums(const GPUContext& dev_ctx, const ChannelShape& shape, const F& f, MT* out) {
  const bool columns = shape.inner == 1;
  const int64_t blocks = columns ? CeilDiv(shape.channels, detail::kColumns) : shape.channels;
  // enough blocks to fill the device, with at least some work for each
  const int64_t per_image = columns ? 1 : shape.inner;
  const int64_t wanted = std::max<int64_t>(1, 4 * int64_t(dev_ctx.GetSMCount()) / std::max<int64_t>(1, blocks));
  const int64_t useful = std::max<int64_t>(1, shape.outer * per_image / (columns ? 4 * detail::kRows : 1024));
  const int64_t limit = std::min<int64_t>({wanted, useful, std::max<int64_t>(1, shape.outer), 1024});
  const int64_t images = std::max<int64_t>(1, CeilDiv(shape.outer, limit));
  const int64_t parts = std::max<int64_t>(1, CeilDiv(shape.outer, images));

  DenseTensor partial_tensor;
  partial_tensor.Resize({parts == 1 ? 0 : parts * K * shape.channels});
  MT* partial = parts == 1 ? out : dev_ctx.Alloc<MT>(&partial_tensor);
  const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(parts));
  if (columns) {
    const dim3 block(detail::kColumns, detail::kRows);
    backends::gpu::Launch(dev_ctx, &detail::ColumnSumsKernel<MT, K, F>, grid, block, shape, images, f, partial);
  } else {
    backends::gpu::Launch(dev_ctx, &detail::PlaneSumsKernel<MT, K, F>, grid, dim3(512), shape, images, f, partial);
  }
  if (parts == 1) return;
  const detail::AddParts<MT> add{partial, parts, K * shape.channels, out};
  primitive::detail::RunForEach(dev_ctx, K * shape.channels, add);
}

}  // namespace phi::funcs
