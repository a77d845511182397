// SPDX-License-Identifier: Apache-2.0
#pragma once

// In the place of CUDA's header, for g++: the words of device code, and the functions of the runtime that it calls.
// What is not here is not emulated, and an error of the compiler.

#include <math.h>  // NOLINT: device code calls its functions without std::

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "backends/emulated/launch.h"
#include "backends/emulated/memory.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static thread_local  // the library has no other such variables: shared_memory.h
#define __grid_constant__
#define __launch_bounds__(...)

#define threadIdx (::phi::emulated::thread_index)
#define blockIdx (::phi::emulated::block_index)
#define blockDim (::phi::emulated::block_size)
#define gridDim (::phi::emulated::grid_size)

#define __syncthreads() ::phi::emulated::Barrier(__FILE__, __LINE__)
#define __syncwarp() static_cast<void>(::phi::emulated::ShuffleXor(0xffffffffu, 0, 0, __FILE__, __LINE__))
#define __shfl_xor_sync(mask, value, lanes) ::phi::emulated::ShuffleXor(mask, value, lanes, __FILE__, __LINE__)

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long value) {
  const unsigned long long before = *at;
  *at = before + value;
  return before;
}

template <typename T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}

using cudaStream_t = struct CUstream_st*;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9 };
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

inline const char* cudaGetErrorString(cudaError_t e) {
  return e == cudaSuccess ? "no error" : "invalid configuration argument";
}
inline const char* cudaGetErrorName(cudaError_t e) {
  return e == cudaSuccess ? "cudaSuccess" : "cudaErrorInvalidConfiguration";
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
  const phi::emulated::AccessToAll access;
  if (bytes > 0) std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  const phi::emulated::AccessToAll access;
  if (bytes > 0) std::memset(to, value, bytes);
  return cudaSuccess;
}

namespace phi::emulated {

// `kernel<<<grid, block, shared_bytes, stream>>>(args...)`; says what cudaGetLastError would.
template <typename... Params, typename... Args>
cudaError_t Launch(void (*kernel)(Params...), dim3 grid, dim3 block, size_t, cudaStream_t, const Args&... args) {
  if (!IsValid(grid, block)) return cudaErrorInvalidConfiguration;
  RunGrid(grid, block, [&] { kernel(args...); });
  return cudaSuccess;
}

}  // namespace phi::emulated
