// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong, each in a way of its own, and two that are right; test_faults.py runs them by name.
#include <cub/block/block_scan.cuh>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

#include "backends/gpu/gpu_launch.cuh"

namespace {

__global__ void Reverse(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}
__global__ void ReverseWithoutBarrier(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}
__global__ void SumOfLanes(int* out) {
  int sum = threadIdx.x;
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, lanes);
  out[threadIdx.x] = sum;
}
__global__ void BarrierAfterReturn(int*) {
  if (threadIdx.x == 3) return;
  __syncthreads();
}
__global__ void TwoBarriers(int*) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}
__global__ void LaneThatDoesNotCome(int* out) {
  if (threadIdx.x != 5) out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 1, 1);
}
__global__ void LaneOutsideOfItsMask(int* out) { out[threadIdx.x] = __shfl_xor_sync(0xffffu, 1, 1); }
__global__ void ReadsLaneOutsideOfMask(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor_sync(0xffffu, 1, 16);
}
__global__ void ScanTwiceWithoutBarrier(int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ typename Scan::TempStorage storage;
  int first, second, total;
  Scan(storage).ExclusiveSum(1, first, total);
  Scan(storage).ExclusiveSum(int(threadIdx.x), second, total);
  out[threadIdx.x] = first + 1000 * second;
}
__global__ void UsesWhatNobodyWrote(int* out) {
  __shared__ int values[64];
  if (threadIdx.x > 0) values[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}
__global__ void LastBlockWins(int* out) { out[threadIdx.x] = static_cast<int>(blockIdx.x); }
__global__ void TooMuchShared(int* out) {
  __shared__ int values[(48 << 10) / 4 + 1];
  for (int i = threadIdx.x; i <= (48 << 10) / 4; i += blockDim.x) values[i] = 0;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

const std::map<std::string, void (*)(int*)> kKernels = {
    {"Reverse", &Reverse},
    {"ReverseWithoutBarrier", &ReverseWithoutBarrier},
    {"SumOfLanes", &SumOfLanes},
    {"BarrierAfterReturn", &BarrierAfterReturn},
    {"TwoBarriers", &TwoBarriers},
    {"LaneThatDoesNotCome", &LaneThatDoesNotCome},
    {"LaneOutsideOfItsMask", &LaneOutsideOfItsMask},
    {"ReadsLaneOutsideOfMask", &ReadsLaneOutsideOfMask},
    {"ScanTwiceWithoutBarrier", &ScanTwiceWithoutBarrier},
    {"UsesWhatNobodyWrote", &UsesWhatNobodyWrote},
    {"LastBlockWins", &LastBlockWins},
    {"TooMuchShared", &TooMuchShared},
};

}  // namespace

// Runs a kernel with this grid and this number of threads in a block; returns what is wrong with that, or "".
extern "C" const char* phi_run_fault(const char* name, unsigned x, unsigned y, unsigned z, unsigned threads, int* out) {
  static std::string message;
  message.clear();
  try {
    const phi::GPUContext ctx(phi::GPUPlace(0));
    phi::backends::gpu::Launch(ctx, kKernels.at(name), dim3(x, y, z), dim3(threads), out);
  } catch (const std::exception& error) {
    message = error.what();
  }
  return message.c_str();
}
