// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "backends/gpu/gpu_context.h"
#include "common/ceil_div.h"
#include "common/enforce.h"

// Only for .cu files: how kernels are launched.
namespace phi::backends::gpu {

inline void Check(cudaError_t error, const char* what) {
  PADDLE_ENFORCE(
      error == cudaSuccess,
      errors::External("CUDA failed in %s: %s (%s)", what, cudaGetErrorString(error), cudaGetErrorName(error)));
}

// Starts `kernel` on the context's stream, without waiting, and reports a launch that CUDA refuses. An empty grid,
// which CUDA would refuse, is no work.
template <typename... Params, typename... Args>
void LaunchShared(
    const GPUContext& ctx, void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared_bytes, const Args&... args) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
#ifdef __CUDACC__
  kernel<<<grid, block, shared_bytes, ctx.stream()>>>(args...);
  const cudaError_t error = cudaGetLastError();
#else
  const cudaError_t error = emulated::Launch(kernel, grid, block, shared_bytes, ctx.stream(), args...);
#endif
  Check(error, "a kernel launch");
}

template <typename... Params, typename... Args>
void Launch(const GPUContext& ctx, void (*kernel)(Params...), dim3 grid, dim3 block, const Args&... args) {
  LaunchShared(ctx, kernel, grid, block, 0, args...);
}

// Blocks of a kernel that walks its grid, for this many: on an emulated GPU so few that it does.
inline unsigned WalkedGrid(int64_t blocks) {
#ifdef __CUDACC__
  constexpr int64_t most = 1 << 30;
#else
  const int64_t most = emulated::MostBlocks();
#endif
  return static_cast<unsigned>(std::min(blocks, most));
}

// Blocks for `work` items, `per_block` each.
inline unsigned GridSize(int64_t work, int64_t per_block) {
  const int64_t blocks = CeilDiv(work, per_block);
  PADDLE_ENFORCE(blocks <= 0x7fffffff, errors::OutOfRange("a GPU kernel over %d elements needs too many blocks", work));
  return static_cast<unsigned>(blocks);
}

}  // namespace phi::backends::gpu
