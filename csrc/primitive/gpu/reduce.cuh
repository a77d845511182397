// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/gpu/gpu_launch.cuh"
#include "common/ceil_div.h"
#include "primitive/reduce_ops.h"
#include "primitive/reduce_plan.h"

// Reductions on the GPU, in two passes where one output has work for many blocks: no atomics, so that results are the
// same each time.
namespace phi::primitive::detail {

constexpr int kReduceThreads = 256;

// Combines the values of the threads with equal threadIdx.x % stride into that of the first of them, for `threads`
// values in shared memory. Both are powers of two; all threads of the block must call it.
template <class Op>
__device__ void CombineShared(typename Op::Acc* shared, int index, int threads, int stride) {
  for (int half = threads / 2; half >= stride; half /= 2) {
    __syncthreads();
    if (index < half) shared[index] = Op::Combine(shared[index], shared[index + half]);
  }
  __syncthreads();  // others may be written to; who reads a sum has written it
}

template <typename T, int size>
struct alignas(sizeof(T) * size) AlignedVector {
  T values[size];
};

// Where results go: the finished ones to `out`, or those of chunks to `partials` [chunks, outputs].
template <class Op, typename OutT>
struct ReduceTarget {
  using Acc = typename Op::Acc;
  OutT* out;
  Acc* partials;
  int64_t outputs;
  int64_t count;

  __device__ void Write(int64_t output, int64_t chunk, Acc acc) const {
    if (partials) {
      partials[chunk * outputs + output] = acc;
    } else {
      out[output] = Convert<OutT>(Op::Finish(acc, count));
    }
  }
};

// What one of `threads` threads reads of the elements [begin, end) of one output.
template <class Op, typename T, class Transform>
__device__ typename Op::Acc ThreadReduce(
    const ReducePlan& plan, const T* x, int64_t begin, int64_t end, int thread, int threads, Transform transform) {
  using Acc = typename Op::Acc;
  constexpr int kVector = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
  using Vector = AlignedVector<T, kVector>;
  Acc acc[kVector];
  for (int k = 0; k < kVector; ++k) acc[k] = Op::Init();
  const auto take = [&](int k, T value) { acc[k] = Op::Combine(acc[k], Convert<Acc>(transform(ToCompute(value)))); };
  if (plan.reduced == 1) {
    int64_t i = begin;
    const int64_t misaligned = reinterpret_cast<uintptr_t>(x + begin) % sizeof(Vector) / sizeof(T);
    const int64_t body = misaligned == 0 ? begin : min(begin + kVector - misaligned, end);
    const int64_t tail = body + (end - body) / kVector * kVector;
    for (i = begin + thread; i < body; i += threads) take(0, x[i]);
    for (i = body + int64_t(thread) * kVector; i < tail; i += int64_t(threads) * kVector) {
      const Vector v = *reinterpret_cast<const Vector*>(x + i);
      for (int k = 0; k < kVector; ++k) take(k, v.values[k]);
    }
    for (i = tail + thread; i < end; i += threads) take(0, x[i]);
  } else if (begin < end) {  // an empty run has no rows
    int64_t row = (begin + thread) / plan.inner;
    int64_t column = (begin + thread) % plan.inner;
    const int64_t row_step = threads / plan.inner;
    const int64_t column_step = threads % plan.inner;
    for (int64_t i = begin + thread; i < end; i += threads) {
      take(0, x[plan.reduced_index.Offset(row) + column]);
      row += row_step;
      column += column_step;
      if (column >= plan.inner) {
        column -= plan.inner;
        ++row;
      }
    }
  }
  for (int k = 1; k < kVector; ++k) acc[0] = Op::Combine(acc[0], acc[k]);
  return acc[0];
}

// Plans whose run is reduced. A group of `group` threads (a power of two) per output and chunk.
template <class Op, typename T, typename OutT, class Transform>
__global__ void ReduceRunsKernel(
    ReducePlan plan, const T* x, ReduceTarget<Op, OutT> target, int64_t chunk_size, int group, Transform transform) {
  using Acc = typename Op::Acc;
  alignas(16) __shared__ unsigned char storage[kReduceThreads * sizeof(Acc)];
  const int thread = threadIdx.x % group;
  Acc* shared = reinterpret_cast<Acc*>(storage) + (threadIdx.x - thread);
  const int64_t begin = blockIdx.y * chunk_size;
  const int64_t end = min(begin + chunk_size, target.count);
  const int64_t groups = kReduceThreads / group;
  for (int64_t first = blockIdx.x * groups; first < target.outputs; first += gridDim.x * groups) {
    const int64_t output = first + threadIdx.x / group;
    const bool valid = output < target.outputs;
    shared[thread] =
        valid ? ThreadReduce<Op>(plan, x + plan.kept_index.Offset(output), begin, end, thread, group, transform)
              : Op::Init();
    CombineShared<Op>(shared, thread, group, 1);
    if (valid && thread == 0) target.Write(output, blockIdx.y, shared[0]);
  }
}

// Plans whose run is kept. A thread column per output; blockDim.x * blockDim.y threads.
template <class Op, typename T, typename OutT, class Transform>
__global__ void ReduceRowsKernel(ReducePlan plan,
                                 const T* x,
                                 ReduceTarget<Op, OutT> target,
                                 int64_t chunk_size,
                                 int64_t tiles,
                                 Transform transform) {
  using Acc = typename Op::Acc;
  alignas(16) __shared__ unsigned char storage[kReduceThreads * sizeof(Acc)];
  Acc* shared = reinterpret_cast<Acc*>(storage);
  const int64_t begin = blockIdx.y * chunk_size;
  const int64_t end = min(begin + chunk_size, plan.reduced);
  for (int64_t tile = blockIdx.x; tile < plan.kept * tiles; tile += gridDim.x) {
    const int64_t kept = tile / tiles;
    const int64_t column = tile % tiles * blockDim.x + threadIdx.x;
    Acc acc[4] = {Op::Init(), Op::Init(), Op::Init(), Op::Init()};
    if (column < plan.inner) {
      const T* from = x + plan.kept_index.Offset(kept) + column;
      const auto take = [&](int k, int64_t row) {
        const T value = from[plan.reduced_index.Offset(row)];
        acc[k] = Op::Combine(acc[k], Convert<Acc>(transform(ToCompute(value))));
      };
      const int64_t step = blockDim.y;
      int64_t row = begin + threadIdx.y;
      for (; row + 3 * step < end; row += 4 * step) {
        for (int k = 0; k < 4; ++k) take(k, row + k * step);
      }
      for (; row < end; row += step) take(0, row);
    }
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    shared[thread] = Op::Combine(Op::Combine(acc[0], acc[1]), Op::Combine(acc[2], acc[3]));
    CombineShared<Op>(shared, thread, kReduceThreads, blockDim.x);
    if (threadIdx.y == 0 && column < plan.inner) {
      target.Write(kept * plan.inner + column, blockIdx.y, shared[threadIdx.x]);
    }
  }
}

template <class Op, typename T, typename OutT, class Transform>
void LaunchReduceRows(const GPUContext& dev_ctx,
                      const ReducePlan& plan,
                      const T* x,
                      const ReduceTarget<Op, OutT>& target,
                      int64_t chunks,
                      Transform transform) {
  int width = 1;
  while (width < 32 && width < plan.inner) width *= 2;
  const int64_t tiles = CeilDiv(plan.inner, width);
  const dim3 grid(backends::gpu::WalkedGrid(plan.kept * tiles), chunks);
  const dim3 block(width, kReduceThreads / width);
  const int64_t chunk_size = CeilDiv(plan.reduced, chunks);
  backends::gpu::Launch(
      dev_ctx, &ReduceRowsKernel<Op, T, OutT, Transform>, grid, block, plan, x, target, chunk_size, tiles, transform);
}

template <class Op, typename T, typename OutT, class Transform>
void ReduceByPlan(const GPUContext& dev_ctx, const ReducePlan& plan, const T* x, OutT* out, Transform transform) {
  using Acc = typename Op::Acc;
  constexpr int64_t kChunkElements = 8192;  // that are worth a block
  constexpr int kPerThread = 8;             // elements that a thread should have
  const int64_t count = plan.count();
  const int64_t outputs = plan.outputs();
  int group = 1;  // threads per output, where the run is reduced
  while (group < kReduceThreads && group * kPerThread < count) group *= 2;
  const int64_t blocks =
      plan.inner_reduced ? CeilDiv(outputs * group, kReduceThreads) : plan.kept * CeilDiv(plan.inner, 32);
  const int64_t per_block =
      plan.inner_reduced ? count * kReduceThreads / group : count * std::min<int64_t>(plan.inner, 32);
  const int64_t wanted = 8 * int64_t(dev_ctx.GetSMCount()) / blocks;
  const int64_t chunks = std::clamp<int64_t>(std::min(wanted, per_block / kChunkElements), 1, 65535);

  DenseTensor partial_tensor;  // [chunks, outputs]
  partial_tensor.Resize({chunks, outputs});
  Acc* partials = chunks == 1 ? nullptr : dev_ctx.Alloc<Acc>(&partial_tensor);
  const ReduceTarget<Op, OutT> target{out, partials, outputs, count};
  if (!plan.inner_reduced) {
    LaunchReduceRows(dev_ctx, plan, x, target, chunks, transform);
  } else {
    const dim3 grid(backends::gpu::WalkedGrid(blocks), chunks);
    const int64_t chunk_size = CeilDiv(count, chunks);
    backends::gpu::Launch(dev_ctx,
                          &ReduceRunsKernel<Op, T, OutT, Transform>,
                          grid,
                          dim3(kReduceThreads),
                          plan,
                          x,
                          target,
                          chunk_size,
                          group,
                          transform);
  }
  if (!partials) return;

  ReducePlan second;
  second.inner_reduced = false;
  second.inner = outputs;
  second.reduced = chunks;
  second.reduced_index.Append(chunks, outputs);
  LaunchReduceRows(dev_ctx, second, partials, ReduceTarget<Op, OutT>{out, nullptr, outputs, count}, 1, ToAcc<Acc>());
}

}  // namespace phi::primitive::detail
