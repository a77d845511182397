// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "backends/all_context.h"
#include "core/dense_tensor.h"
#include "primitive/convert.h"
#include "primitive/math.h"
#ifdef __CUDACC__
#include "backends/gpu/gpu_launch.h"
#else
#include "primitive/cpu/parallel.h"
#include "primitive/cpu/simd.h"
#endif

// One pass over several tensors of equal size, as an optimizer makes.
namespace phi::funcs {

// A tensor of the pass: read from `in`, then written to `out` unless that is null. An absent one reads as zero.
template <typename T>
struct UpdateStream {
  const T* in = nullptr;
  T* out = nullptr;
};

// A number in a tensor with one element: on the GPU the device reads it, so that nothing waits.
class DeviceNumber {
 public:
  DeviceNumber() = default;
  explicit DeviceNumber(const DenseTensor& tensor) : data_(tensor.data()), dtype_(tensor.dtype()) {}
  HOSTDEVICE double operator()() const {
    return dtype_ == DataType::FLOAT64 ? *static_cast<const double*>(data_) : *static_cast<const float*>(data_);
  }

 private:
  const void* data_ = nullptr;
  DataType dtype_ = DataType::FLOAT32;
};

constexpr int64_t kUpdateGrain = 16384;  // elements that are worth a thread

// `functor.Prepare()` gives a step, which is called as step(C& or at::vec::Vectorized<C>& for each stream).
#ifdef __CUDACC__
namespace detail {

template <typename C, typename T>
__device__ C LoadElement(const UpdateStream<T>& stream, int64_t i) {
  return stream.in ? static_cast<C>(stream.in[i]) : C(0);
}

template <typename T, typename C>
__device__ void StoreElement(const UpdateStream<T>& stream, int64_t i, C value) {
  if (stream.out) stream.out[i] = static_cast<T>(value);
}

template <typename C, typename Step, size_t... I, typename... Ts>
__device__ void UpdateElement(const Step& step,
                              int64_t i,
                              std::index_sequence<I...>,
                              const UpdateStream<Ts>&... streams) {
  C values[] = {LoadElement<C>(streams, i)...};
  step(values[I]...);
  (StoreElement(streams, i, values[I]), ...);
}

template <typename C, typename Functor, typename... Ts>
__global__ void UpdateElementsOnGpu(int64_t n, Functor functor, UpdateStream<Ts>... streams) {
  const auto step = functor.Prepare();
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += grid) {
    UpdateElement<C>(step, i, std::index_sequence_for<Ts...>(), streams...);
  }
}

}  // namespace detail

template <typename C, typename Functor, typename... Ts>
void UpdateElements(const GPUContext& dev_ctx, int64_t n, const Functor& functor, UpdateStream<Ts>... streams) {
  if (n == 0) return;
  namespace gpu = backends::gpu;
  const unsigned grid = std::min(gpu::GridSize(n, 256), 32u * static_cast<unsigned>(dev_ctx.GetSMCount()));
  gpu::Launch(dev_ctx, &detail::UpdateElementsOnGpu<C, Functor, Ts...>, grid, 256, n, functor, streams...);
}
#else
namespace detail {

template <bool kWhole, typename C, typename T>
primitive::detail::SimdPair<C> LoadPair(const UpdateStream<T>& stream, int64_t i, int64_t count) {
  using Pair = primitive::detail::SimdPair<C>;
  if (stream.in == nullptr) return {at::vec::Vectorized<C>(C(0)), at::vec::Vectorized<C>(C(0))};
  return kWhole ? Pair::Load(stream.in + i) : Pair::Load(stream.in + i, count);
}

template <bool kWhole, typename C, typename T>
void StorePair(const UpdateStream<T>& stream, int64_t i, int64_t count, const primitive::detail::SimdPair<C>& pair) {
  if (stream.out == nullptr) return;
  kWhole ? pair.Store(stream.out + i) : pair.Store(stream.out + i, count);
}

template <bool kWhole, typename C, typename Step, size_t... I, typename... Ts>
[[gnu::always_inline]] inline void UpdatePairs(
    const Step& step, int64_t i, int64_t count, std::index_sequence<I...>, const UpdateStream<Ts>&... streams) {
  primitive::detail::SimdPair<C> pairs[] = {LoadPair<kWhole, C>(streams, i, count)...};
  step(pairs[I].lo...);
  step(pairs[I].hi...);
  (StorePair<kWhole>(streams, i, count, pairs[I]), ...);
}

// Everything by value: stores could change what lies in memory.
template <typename C, typename Step, typename... Ts>
void UpdateRange(const Step step, int64_t begin, int64_t end, const UpdateStream<Ts>... streams) {
  constexpr int64_t kSize = primitive::detail::SimdPair<C>::kSize;
  constexpr std::index_sequence_for<Ts...> kIndices;
  int64_t i = begin;
  for (; i + kSize <= end; i += kSize) UpdatePairs<true, C>(step, i, kSize, kIndices, streams...);
  if (i < end) UpdatePairs<false, C>(step, i, end - i, kIndices, streams...);
}

}  // namespace detail

template <typename C, typename Functor, typename... Ts>
void UpdateElements(const CPUContext&, int64_t n, const Functor& functor, UpdateStream<Ts>... streams) {
  primitive::ParallelFor(n, kUpdateGrain, [&](int64_t begin, int64_t end) {
    detail::UpdateRange<C>(functor.Prepare(), begin, end, streams...);
  });
}
#endif

}  // namespace phi::funcs
