// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backends/gpu/gpu_launch.cuh"
#include "common/ceil_div.h"
#include "primitive/convert.h"
#include "primitive/loop/axis_shape.h"

// How GPU kernels walk an axis of [outer, dim, inner]: a team of threads works on each position [outer, inner]. If the
// axis is the last one, that is a warp or a block (RowTeam), so that neighbouring threads read neighbouring elements;
// otherwise a single thread (ColumnTeam), for the same reason.
namespace phi::primitive {

template <typename V>
__device__ V ShuffleXor(V value, int lanes) {
  return __shfl_xor_sync(0xffffffffu, value, lanes);
}

struct AddOp {
  template <typename V>
  __device__ V operator()(V a, V b) const {
    return a + b;
  }
};

// blockDim.x threads, a multiple of 32; there are several teams in a block only if they are warps.
struct RowTeam {
  static constexpr int kBytes = 16;          // of a load
  static constexpr int kMostThreads = 1024;  // of a block, for which the compiler keeps registers

  __device__ static int64_t First() { return int64_t(blockIdx.x) * blockDim.y + threadIdx.y; }
  __device__ static int64_t Step() { return int64_t(gridDim.x) * blockDim.y; }
  __device__ static bool IsLeader() { return threadIdx.x == 0; }
  __device__ static int64_t FirstElement(const AxisShape& shape, int64_t position) { return position * shape.dim; }

  // op over the values of all threads, known to all of them. What they did to memory before is visible after.
  template <typename V, typename Op>
  __device__ static V Reduce(V value, const Op& op) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value = op(value, ShuffleXor(value, lanes));
    if (blockDim.x == 32) {
      __syncwarp();
      return value;
    }
    alignas(V) __shared__ unsigned char storage[32 * sizeof(V)];
    V* partial = reinterpret_cast<V*>(storage);
    __syncthreads();  // whatever was here before has been read
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    value = partial[0];
    for (unsigned i = 1; i < blockDim.x / 32; ++i) value = op(value, partial[i]);
    return value;
  }

  // f(d, src[d]...) for each d of the axis.
  template <typename T, typename F, typename... Src>
  __device__ static void ForEach(const AxisShape& shape, const F& f, const T* first, const Src*... src) {
    constexpr int kPack = kBytes / sizeof(T);
    int64_t done = 0;
    if ((IsAligned(first) && ... && IsAligned(src))) {
      done = shape.dim / kPack * kPack;
      for (int64_t d = int64_t(threadIdx.x) * kPack; d < done; d += int64_t(blockDim.x) * kPack) {
        PackOf<T> packs[] = {Load(first + d), Load(src + d)...};
#pragma unroll
        for (int k = 0; k < kPack; ++k) Call(f, d + k, packs, k, std::make_index_sequence<sizeof...(Src) + 1>());
      }
    }
    for (int64_t d = done + threadIdx.x; d < shape.dim; d += blockDim.x) f(d, Wide(first[d]), Wide(src[d])...);
  }

  // out[d] = f(d, src[d]...). `out` may be a source.
  template <typename T, typename F, typename... Src>
  __device__ static void Map(const AxisShape& shape, T* out, const F& f, const Src*... src) {
    constexpr int kPack = kBytes / sizeof(T);
    int64_t done = 0;
    if ((IsAligned(out) && ... && IsAligned(src))) {
      done = shape.dim / kPack * kPack;
      for (int64_t d = int64_t(threadIdx.x) * kPack; d < done; d += int64_t(blockDim.x) * kPack) {
        PackOf<T> packs[] = {Load(src + d)...};
        PackOf<T> result;
#pragma unroll
        for (int k = 0; k < kPack; ++k) {
          result.values[k] = T(Call(f, d + k, packs, k, std::make_index_sequence<sizeof...(Src)>()));
        }
        *reinterpret_cast<PackOf<T>*>(out + d) = result;
      }
    }
    for (int64_t d = done + threadIdx.x; d < shape.dim; d += blockDim.x) out[d] = T(f(d, Wide(src[d])...));
  }

  __host__ static void Plan(const AxisShape& shape, dim3* grid, dim3* block) {
    unsigned threads = 32;
    while (threads < kMostThreads && int64_t(threads) * 8 < shape.dim) threads *= 2;
    *block = dim3(threads, threads == 32 ? 4 : 1);
    *grid = dim3(backends::gpu::WalkedGrid(CeilDiv(shape.outer, block->y)));
  }

 private:
  template <typename T>
  struct alignas(kBytes) PackOf {
    T values[kBytes / sizeof(T)];
  };
  template <typename T>
  __device__ static PackOf<T> Load(const T* p) {
    return *reinterpret_cast<const PackOf<T>*>(p);
  }
  template <typename T>
  __device__ static bool IsAligned(const T* p) {
    return reinterpret_cast<uintptr_t>(p) % kBytes == 0;
  }
  template <typename T>
  __device__ static Acc<T> Wide(T v) {
    return static_cast<Acc<T>>(v);
  }
  template <typename F, typename Pack, size_t... I>
  __device__ static auto Call(const F& f, int64_t d, const Pack* packs, int k, std::index_sequence<I...>) {
    return f(d, Wide(packs[I].values[k])...);
  }
};

// One thread; elements are shape.inner apart.
struct ColumnTeam {
  static constexpr int kMostThreads = 128;

  __device__ static int64_t First() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
  __device__ static int64_t Step() { return int64_t(gridDim.x) * blockDim.x; }
  __device__ static bool IsLeader() { return true; }
  __device__ static int64_t FirstElement(const AxisShape& shape, int64_t position) {
    return position / shape.inner * shape.dim * shape.inner + position % shape.inner;
  }

  template <typename V, typename Op>
  __device__ static V Reduce(V value, const Op&) {
    return value;
  }
  template <typename F, typename... Src>
  __device__ static void ForEach(const AxisShape& shape, const F& f, const Src*... src) {
    for (int64_t d = 0; d < shape.dim; ++d) f(d, static_cast<Acc<Src>>(src[d * shape.inner])...);
  }
  template <typename T, typename F, typename... Src>
  __device__ static void Map(const AxisShape& shape, T* out, const F& f, const Src*... src) {
    for (int64_t d = 0; d < shape.dim; ++d) {
      out[d * shape.inner] = T(f(d, static_cast<Acc<Src>>(src[d * shape.inner])...));
    }
  }
  __host__ static void Plan(const AxisShape& shape, dim3* grid, dim3* block) {
    *block = dim3(kMostThreads);
    const int64_t blocks = CeilDiv(shape.outer * shape.inner, kMostThreads);
    *grid = dim3(backends::gpu::WalkedGrid(blocks));
  }
};

// The body gets the shape, a position and the index of its first element. One block of a processor is asked for: ptxas
// spills registers to have two.
template <typename Team, typename Body>
__global__ void __launch_bounds__(Team::kMostThreads, 1) AxisTeamKernel(AxisShape shape, Body body) {
  const int64_t positions = shape.outer * shape.inner;
  for (int64_t i = Team::First(); i < positions; i += Team::Step()) {
    body.template Run<Team>(shape, i, Team::FirstElement(shape, i));
  }
}

// Runs `body` for each position. It is a struct with a function
//   template <typename Team> __device__ void Run(const AxisShape& shape, int64_t position, int64_t first_element) const
template <typename Team, typename Body>
void LaunchTeams(const GPUContext& dev_ctx, const AxisShape& shape, const Body& body) {
  dim3 grid, block;
  Team::Plan(shape, &grid, &block);
  backends::gpu::Launch(dev_ctx, &AxisTeamKernel<Team, Body>, grid, block, shape, body);
}

template <typename Body>
void LaunchAxisTeams(const GPUContext& dev_ctx, const AxisShape& shape, const Body& body) {
  shape.inner == 1 ? LaunchTeams<RowTeam>(dev_ctx, shape, body) : LaunchTeams<ColumnTeam>(dev_ctx, shape, body);
}

}  // namespace phi::primitive
