// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "backends/gpu/gpu_launch.cuh"
#include "common/ceil_div.h"
#include "primitive/impl/types.h"
#include "primitive/permute.h"
#include "primitive/permute_plan.h"

namespace phi::primitive {

namespace {

namespace gpu = backends::gpu;

constexpr int kTile = 32;
constexpr int kTileRows = 8;  // threads of a block along the other side of a tile
constexpr int kThreads = 256;

__device__ void OffsetsOf(const PermutePlan& plan, int64_t index, int64_t* in, int64_t* out) {
  *in = *out = 0;
  for (int i = plan.outer_rank - 1; i >= 0; --i) {
    const int64_t next = index / plan.outer[i].size;
    const int64_t at = index - next * plan.outer[i].size;
    index = next;
    *in += at * plan.outer[i].in_stride;
    *out += at * plan.outer[i].out_stride;
  }
}

// A run has `run` units, a unit `per_unit` elements.
template <typename Unit>
__global__ void CopyRuns(PermutePlan plan, const Unit* in, Unit* out, int64_t run, int64_t per_unit) {
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < plan.outer_size * run; i += grid) {
    int64_t from;
    int64_t to;
    OffsetsOf(plan, i / run, &from, &to);
    out[to / per_unit + i % run] = in[from / per_unit + i % run];
  }
}

// A block moves tiles through shared memory, so that reads and writes both are along runs.
template <typename E>
__global__ void TransposeTiles(PermutePlan plan, const E* in, E* out, int64_t row_tiles, int64_t col_tiles) {
  __shared__ E tile[kTile][kTile + 1];
  const int64_t tiles = plan.outer_size * row_tiles * col_tiles;
  for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    int64_t from;
    int64_t to;
    OffsetsOf(plan, t / (row_tiles * col_tiles), &from, &to);
    const int64_t row = t / col_tiles % row_tiles * kTile;  // along in_run
    const int64_t col = t % col_tiles * kTile;              // along out_run
    for (int i = threadIdx.y; i < kTile; i += kTileRows) {
      if (row + threadIdx.x < plan.in_run.size && col + i < plan.out_run.size) {
        tile[i][threadIdx.x] = in[from + row + threadIdx.x + (col + i) * plan.out_run.in_stride];
      }
    }
    __syncthreads();
    for (int i = threadIdx.y; i < kTile; i += kTileRows) {
      if (row + i < plan.in_run.size && col + threadIdx.x < plan.out_run.size) {
        out[to + (row + i) * plan.in_run.out_stride + col + threadIdx.x] = tile[threadIdx.x][i];
      }
    }
    __syncthreads();
  }
}

template <typename Unit>
void LaunchCopy(
    const GPUContext& dev_ctx, const PermutePlan& plan, const DenseTensor& x, DenseTensor* out, int64_t per_unit) {
  const int64_t run = plan.out_run.size / per_unit;
  const unsigned blocks = std::min(gpu::GridSize(plan.outer_size * run, kThreads), 64u * dev_ctx.GetSMCount());
  gpu::Launch(dev_ctx,
              &CopyRuns<Unit>,
              blocks,
              kThreads,
              plan,
              static_cast<const Unit*>(x.data()),
              static_cast<Unit*>(out->data()),
              run,
              per_unit);
}

template <typename E>
void LaunchTranspose(const GPUContext& dev_ctx, const PermutePlan& plan, const DenseTensor& x, DenseTensor* out) {
  if (plan.is_copy) {
    constexpr int64_t kPerUnit = sizeof(uint4) / sizeof(E);
    const uintptr_t addresses = reinterpret_cast<uintptr_t>(x.data()) | reinterpret_cast<uintptr_t>(out->data());
    const bool aligned = plan.out_run.size % kPerUnit == 0 && addresses % sizeof(uint4) == 0;
    return aligned ? LaunchCopy<uint4>(dev_ctx, plan, x, out, kPerUnit) : LaunchCopy<E>(dev_ctx, plan, x, out, 1);
  }
  const int64_t row_tiles = CeilDiv(plan.in_run.size, kTile);
  const int64_t col_tiles = CeilDiv(plan.out_run.size, kTile);
  const unsigned blocks =
      std::min(gpu::GridSize(plan.outer_size * row_tiles * col_tiles, 1), 64u * dev_ctx.GetSMCount());
  gpu::Launch(dev_ctx,
              &TransposeTiles<E>,
              blocks,
              dim3(kTile, kTileRows),
              plan,
              static_cast<const E*>(x.data()),
              static_cast<E*>(out->data()),
              row_tiles,
              col_tiles);
}

void PermuteOnGpu(const DeviceContext& context, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out) {
  const auto& dev_ctx = static_cast<const GPUContext&>(context);
  const PermutePlan plan(x.dims(), perm);
  switch (SizeOf(x.dtype())) {
    case 1:
      return LaunchTranspose<uint8_t>(dev_ctx, plan, x, out);
    case 2:
      return LaunchTranspose<uint16_t>(dev_ctx, plan, x, out);
    case 4:
      return LaunchTranspose<uint32_t>(dev_ctx, plan, x, out);
    case 8:
      return LaunchTranspose<uint64_t>(dev_ctx, plan, x, out);
    default:
      return LaunchTranspose<uint4>(dev_ctx, plan, x, out);
  }
}

[[maybe_unused]] const bool registered = RegisterForAllTypes<Permute>(Backend::GPU, &PermuteOnGpu);

}  // namespace

}  // namespace phi::primitive
