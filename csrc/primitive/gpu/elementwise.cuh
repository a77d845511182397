// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "backends/gpu/gpu_launch.cuh"
#include "primitive/convert.h"
#include "primitive/gpu/fast_divide.h"
#include "primitive/strided_plan.h"

namespace phi::primitive::detail {

inline constexpr int kThreads = 256;
inline constexpr int kItems = 4;  // per thread, so that loads are in flight together

// A plan whose offsets fit 32 bits, for groups of kVec neighbours along dimension 0.
template <int operands>
struct GpuPlan {
  int rank;
  uint32_t groups;                   // full ones
  uint32_t rest;                     // elements after them (only when rank == 1)
  FastDivide sizes[DDim::kMaxRank];  // in groups for dimension 0
  uint32_t strides[DDim::kMaxRank][operands];
  bool repeats[operands];  // one value for a whole group
  char* data[operands];
};

template <typename T, int kVec>
struct alignas(sizeof(T) * kVec < 16 ? sizeof(T) * kVec : 16) Group {
  T values[kVec];
};

template <typename T, int kVec>
__device__ Group<T, kVec> LoadGroup(const char* p, bool repeats) {
  if (!repeats) return *reinterpret_cast<const Group<T, kVec>*>(p);
  Group<T, kVec> group;
  const T value = *reinterpret_cast<const T*>(p);
#pragma unroll
  for (int i = 0; i < kVec; ++i) group.values[i] = value;
  return group;
}

template <int operands>
__device__ void GroupOffsets(const GpuPlan<operands>& plan, uint32_t index, uint32_t (&offsets)[operands]) {
#pragma unroll
  for (int k = 0; k < operands; ++k) offsets[k] = 0;
#pragma unroll
  for (int d = 0; d < DDim::kMaxRank; ++d) {
    if (d == plan.rank) break;
    const uint32_t next = d + 1 == plan.rank ? 0 : plan.sizes[d].Divide(index);
    const uint32_t at = index - next * plan.sizes[d].divisor;
    index = next;
#pragma unroll
    for (int k = 0; k < operands; ++k) offsets[k] += at * plan.strides[d][k];
  }
}

template <int kVec, typename F, typename Out, typename... Ins, size_t... I>
__device__ void ElementwiseBody(const GpuPlan<sizeof...(Ins) + 1>& plan, const F& f, std::index_sequence<I...>) {
  const uint32_t first = blockIdx.x * (kThreads * kItems) + threadIdx.x;
  const auto apply = [&](const Group<Ins, kVec>&... in) {
    Group<Out, kVec> out;
#pragma unroll
    for (int i = 0; i < kVec; ++i) out.values[i] = Convert<Out>(f(ToCompute(in.values[i])...));
    return out;
  };
  if (first < plan.groups) {
    Group<Out, kVec> results[kItems];
    uint32_t places[kItems];
    // no store, which the compiler could not move a load across, and no branch before all is loaded
#pragma unroll
    for (int item = 0; item < kItems; ++item) {
      const uint32_t index = first + item * kThreads;
      uint32_t offsets[sizeof...(Ins) + 1];
      GroupOffsets(plan, index < plan.groups ? index : plan.groups - 1, offsets);
      places[item] = offsets[0];
      results[item] = apply(LoadGroup<Ins, kVec>(plan.data[I + 1] + offsets[I + 1], plan.repeats[I + 1])...);
    }
#pragma unroll
    for (int item = 0; item < kItems; ++item) {
      if (first + item * kThreads >= plan.groups) break;
      *reinterpret_cast<Group<Out, kVec>*>(plan.data[0] + places[item]) = results[item];
    }
  }
  if (first < plan.rest) {
    const auto at = [&](int k, size_t size) {
      return plan.data[k] + (plan.repeats[k] ? 0 : (plan.groups * kVec + first) * size);
    };
    *reinterpret_cast<Out*>(at(0, sizeof(Out))) =
        Convert<Out>(f(ToCompute(*reinterpret_cast<const Ins*>(at(I + 1, sizeof(Ins))))...));
  }
}

template <int kVec, typename F, typename Out, typename... Ins>
__global__ void __launch_bounds__(kThreads)
    ElementwiseGpuKernel(const __grid_constant__ GpuPlan<sizeof...(Ins) + 1> plan, const F f) {
  ElementwiseBody<kVec, F, Out, Ins...>(plan, f, std::make_index_sequence<sizeof...(Ins)>());
}

// Whether groups of `vec` neighbours can be loaded at once, for operands of these sizes.
template <int operands>
bool LoadsGroups(const StridedPlan& plan, int64_t vec, const int64_t (&sizes)[operands]) {
  if (plan.rank > 1 && plan.sizes[0] % vec != 0) return false;
  for (int k = 0; k < operands; ++k) {
    if (plan.strides[0][k] == 0 && k > 0) continue;
    const int64_t alignment = std::min<int64_t>(16, vec * sizes[k]);
    if (plan.strides[0][k] != sizes[k] || reinterpret_cast<uintptr_t>(plan.data[k]) % alignment != 0) return false;
    for (int d = 1; d < plan.rank; ++d) {
      if (plan.strides[d][k] % alignment != 0) return false;
    }
  }
  return true;
}

template <int kVec, typename F, typename Out, typename... Ins>
void LaunchElementwise(const GPUContext& ctx, const F& f, const StridedPlan& plan) {
  constexpr int kOperands = sizeof...(Ins) + 1;
  GpuPlan<kOperands> gpu;
  gpu.rank = plan.rank;
  gpu.groups = static_cast<uint32_t>(plan.rank == 1 ? plan.sizes[0] / kVec : plan.numel() / kVec);
  gpu.rest = static_cast<uint32_t>(plan.rank == 1 ? plan.sizes[0] % kVec : 0);
  for (int d = 0; d < plan.rank; ++d) {
    gpu.sizes[d] =
        FastDivide(static_cast<uint32_t>(std::max<int64_t>(1, d == 0 ? plan.sizes[0] / kVec : plan.sizes[d])));
    for (int k = 0; k < kOperands; ++k) gpu.strides[d][k] = plan.strides[d][k] * (d == 0 ? kVec : 1);
  }
  for (int k = 0; k < kOperands; ++k) {
    gpu.repeats[k] = plan.strides[0][k] == 0 && kVec > 1;
    gpu.data[k] = plan.data[k];
  }
  // a launch also when there are only `rest` elements
  const unsigned grid = backends::gpu::GridSize(std::max<int64_t>(gpu.groups, 1), kThreads * kItems);
  backends::gpu::Launch(ctx, &ElementwiseGpuKernel<kVec, F, Out, Ins...>, grid, kThreads, gpu, f);
}

// Calls launch(part) for the plan, or for parts of it that 32-bit offsets can address.
template <typename LaunchPart>
void ForEach32BitPart(const StridedPlan& plan, const LaunchPart& launch) {
  constexpr int64_t kLimit = int64_t{1} << 31;
  int64_t span[StridedPlan::kMaxOperands] = {};
  for (int d = 0; d < plan.rank; ++d) {
    for (int k = 0; k < plan.operands; ++k) span[k] += (plan.sizes[d] - 1) * plan.strides[d][k];
  }
  if (plan.numel() < kLimit && *std::max_element(span, span + plan.operands) < kLimit - 16) return launch(plan);
  // halve the dimension that the output spans most
  int dim = 0;
  for (int d = 0; d < plan.rank; ++d) {
    if ((plan.sizes[d] - 1) * plan.strides[d][0] > (plan.sizes[dim] - 1) * plan.strides[dim][0]) dim = d;
  }
  StridedPlan low = plan;
  StridedPlan high = plan;
  low.sizes[dim] = (plan.sizes[dim] / 2 + 15) / 16 * 16;  // vector loads stay possible
  if (low.sizes[dim] >= plan.sizes[dim]) low.sizes[dim] = plan.sizes[dim] / 2;
  high.sizes[dim] -= low.sizes[dim];
  for (int k = 0; k < plan.operands; ++k) high.data[k] += low.sizes[dim] * plan.strides[dim][k];
  ForEach32BitPart(low, launch);
  ForEach32BitPart(high, launch);
}

template <typename F, typename Out, typename... Ins, typename... Tensors>
void RunElementwise(const GPUContext& ctx, const F& f, DenseTensor* out, const Tensors&... in) {
  constexpr int64_t kSizes[] = {sizeof(Out), sizeof(Ins)...};
  constexpr int64_t kSmallest = std::min({kSizes[0], static_cast<int64_t>(sizeof(Ins))...});
  constexpr int kVec = kSmallest >= 16 ? 1 : kSmallest >= 2 ? 16 / kSmallest : 8;
  const DenseTensor* const tensors[] = {out, &in...};
  ForEach32BitPart(MakeStridedPlan(tensors), [&](const StridedPlan& part) {
    if (kVec > 1 && LoadsGroups(part, kVec, kSizes)) {
      LaunchElementwise<kVec, F, Out, Ins...>(ctx, f, part);
    } else {
      LaunchElementwise<1, F, Out, Ins...>(ctx, f, part);
    }
  });
}

}  // namespace phi::primitive::detail
