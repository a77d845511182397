// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <utility>

#include "backends/all_context.h"
#include "core/dense_tensor.h"
#include "primitive/convert.h"
#include "primitive/math.h"
#ifdef PHI_DEVICE_CODE
#include "backends/gpu/gpu_launch.cuh"
#else
#include "core/parallel.h"
#include "primitive/cpu/simd.h"
#endif

// One pass over several tensors of equal size, as an optimizer makes.
namespace phi::funcs {

// A tensor of the pass: read from `in`, then written to `out`.
template <typename T>
struct UpdateStream {
  const T* in;
  T* out;
};
// One that is only read.
template <typename T>
struct UpdateStream<const T> {
  const T* in;
};
// One that reads as zero and is not written if it is null.
template <typename T>
struct OptionalStream {
  const T* in = nullptr;
  T* out = nullptr;
};
// One that always is.
struct NoStream {};

// A number in a tensor, of one element if `at` does not say which: on the GPU the device reads it, so that nothing
// waits.
class DeviceNumber {
 public:
  DeviceNumber() = default;
  explicit DeviceNumber(const DenseTensor& tensor, int64_t at = 0)
      : data_(static_cast<const char*>(tensor.data()) + at * static_cast<int64_t>(SizeOf(tensor.dtype()))),
        dtype_(tensor.dtype()) {}
  HOSTDEVICE double operator()() const {
    switch (dtype_) {
      case DataType::FLOAT64:
        return As<double>();
      case DataType::FLOAT16:
        return static_cast<float>(As<dtype::float16>());
      case DataType::BFLOAT16:
        return static_cast<float>(As<dtype::bfloat16>());
      default:
        return As<float>();
    }
  }

 private:
  template <typename T>
  HOSTDEVICE const T& As() const {
    return *static_cast<const T*>(data_);
  }

  const void* data_ = nullptr;
  DataType dtype_ = DataType::FLOAT32;
};

constexpr int64_t kUpdateGrain = 16384;  // elements that are worth a thread

// `functor.Prepare()` gives a step, which is called as step(C& or at::vec::Vectorized<C>& for each stream).
#ifdef PHI_DEVICE_CODE
namespace detail {

template <typename C, typename T>
__device__ C LoadElement(const UpdateStream<T>& stream, int64_t i) {
  return static_cast<C>(stream.in[i]);
}
template <typename C, typename T>
__device__ C LoadElement(const OptionalStream<T>& stream, int64_t i) {
  return stream.in ? static_cast<C>(stream.in[i]) : C(0);
}
template <typename C>
__device__ C LoadElement(const NoStream&, int64_t) {
  return C(0);
}

template <typename T, typename C>
__device__ void StoreElement(const UpdateStream<T>& stream, int64_t i, C value) {
  if constexpr (!std::is_const_v<T>) stream.out[i] = static_cast<T>(value);
}
template <typename T, typename C>
__device__ void StoreElement(const OptionalStream<T>& stream, int64_t i, C value) {
  if (stream.out) stream.out[i] = static_cast<T>(value);
}
template <typename C>
__device__ void StoreElement(const NoStream&, int64_t, C) {}

template <typename C, typename Step, size_t... I, typename... Streams>
__device__ void UpdateElement(const Step& step, int64_t i, std::index_sequence<I...>, const Streams&... streams) {
  C values[] = {LoadElement<C>(streams, i)...};
  step(values[I]...);
  (StoreElement(streams, i, values[I]), ...);
}

template <typename C, typename Functor, typename... Streams>
__global__ void UpdateElementsOnGpu(int64_t n, Functor functor, Streams... streams) {
  const auto step = functor.Prepare();
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += grid) {
    UpdateElement<C>(step, i, std::index_sequence_for<Streams...>(), streams...);
  }
}

}  // namespace detail

template <typename C, typename Functor, typename... Streams>
void UpdateElements(const GPUContext& dev_ctx, int64_t n, const Functor& functor, Streams... streams) {
  if (n == 0) return;
  namespace gpu = backends::gpu;
  const unsigned grid = std::min(gpu::GridSize(n, 256), 32u * static_cast<unsigned>(dev_ctx.GetSMCount()));
  gpu::Launch(dev_ctx, &detail::UpdateElementsOnGpu<C, Functor, Streams...>, grid, 256, n, functor, streams...);
}
#else
namespace detail {

template <typename C>
using Pair = primitive::detail::SimdPair<C>;

// `count` is empty for whole pairs.
template <typename C, typename T, typename... Count>
Pair<C> LoadPair(const UpdateStream<T>& stream, int64_t i, Count... count) {
  return Pair<C>::Load(stream.in + i, count...);
}
template <typename C, typename... Count>
Pair<C> LoadPair(const NoStream&, int64_t, Count...) {
  return {at::vec::Vectorized<C>(C(0)), at::vec::Vectorized<C>(C(0))};
}
template <typename C, typename T, typename... Count>
Pair<C> LoadPair(const OptionalStream<T>& stream, int64_t i, Count... count) {
  return stream.in ? Pair<C>::Load(stream.in + i, count...) : LoadPair<C>(NoStream(), i);
}

template <typename C, typename T, typename... Count>
void StorePair(const Pair<C>& pair, const UpdateStream<T>& stream, int64_t i, Count... count) {
  if constexpr (!std::is_const_v<T>) pair.Store(stream.out + i, count...);
}
template <typename C, typename T, typename... Count>
void StorePair(const Pair<C>& pair, const OptionalStream<T>& stream, int64_t i, Count... count) {
  if (stream.out) pair.Store(stream.out + i, count...);
}
template <typename C, typename... Count>
void StorePair(const Pair<C>&, const NoStream&, int64_t, Count...) {}

template <typename C, typename Step, size_t... I, typename Streams, typename... Count>
[[gnu::always_inline]] inline void UpdatePairs(
    const Step& step, const Streams& streams, std::index_sequence<I...>, int64_t i, Count... count) {
  Pair<C> pairs[] = {LoadPair<C>(std::get<I>(streams), i, count...)...};
  step(pairs[I].lo...);
  step(pairs[I].hi...);
  (StorePair(pairs[I], std::get<I>(streams), i, count...), ...);
}

// Everything by value: stores could change what lies in memory.
template <typename C, typename Step, typename... Streams>
void UpdateRange(const Step step, int64_t begin, int64_t end, const Streams... all) {
  constexpr int64_t kSize = Pair<C>::kSize;
  constexpr std::index_sequence_for<Streams...> kIndices;
  const std::tuple<Streams...> streams(all...);
  int64_t i = begin;
  for (; i + kSize <= end; i += kSize) UpdatePairs<C>(step, streams, kIndices, i);
  if (i < end) UpdatePairs<C>(step, streams, kIndices, i, end - i);
}

}  // namespace detail

template <typename C, typename Functor, typename... Streams>
void UpdateElements(const CPUContext&, int64_t n, const Functor& functor, Streams... streams) {
  ParallelFor(n, kUpdateGrain, [&](int64_t begin, int64_t end) {
    detail::UpdateRange<C>(functor.Prepare(), begin, end, streams...);
  });
}
#endif

}  // namespace phi::funcs
