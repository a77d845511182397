// SPDX-License-Identifier: Apache-2.0
#include "kernels/embedding_grad_kernel.h"

#include <cub/device/device_radix_sort.cuh>

#include "backends/gpu/gpu_launch.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/id_type.h"
#include "kernels/funcs/tensor_view.h"
#include "primitive/for_each.h"

namespace phi {

namespace {

constexpr int kThreads = 128;

// A block for each lookup, in the order of the ids. The first lookup of an id sums all of them, in their order.
template <typename T, typename Id>
__global__ void SumLookups(const Id* ids,
                           const int64_t* positions,
                           int64_t count,
                           const T* grad,
                           int64_t rows,
                           int64_t width,
                           int64_t padding_idx,
                           T* out) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  for (int64_t first = blockIdx.x; first < count; first += gridDim.x) {
    const int64_t id = ids[first];
    if (id < 0 || id >= rows || id == padding_idx || (first > 0 && ids[first - 1] == id)) continue;
    for (int64_t column = threadIdx.x; column < width; column += blockDim.x) {
      C sum = C(0);
      for (int64_t i = first; i < count && ids[i] == id; ++i)
        sum += static_cast<C>(grad[positions[i] * width + column]);
      out[id * width + column] = static_cast<T>(sum);
    }
  }
}

// The ids in ascending order, and where each was.
template <typename Id>
void SortIds(const GPUContext& dev_ctx, const Id* ids, int64_t count, Id* sorted, int64_t* positions) {
  DenseTensor order = funcs::EmptyTensor<int64_t>(dev_ctx, {count});
  int64_t* start = order.data<int64_t>();
  primitive::ForEach(dev_ctx, count, [=] HOSTDEVICE(int64_t i) { start[i] = i; });
  const auto sort = [&](void* buffer, size_t& bytes) {
    backends::gpu::Check(cub::DeviceRadixSort::SortPairs(
                             buffer, bytes, ids, sorted, start, positions, count, 0, sizeof(Id) * 8, dev_ctx.stream()),
                         "cub::DeviceRadixSort");
  };
  size_t bytes = 0;
  sort(nullptr, bytes);
  DenseTensor buffer = funcs::EmptyTensor<uint8_t>(dev_ctx, {static_cast<int64_t>(bytes)});
  sort(buffer.data(), bytes);
}

}  // namespace

template <typename T, typename Context>
void EmbeddingGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& weight,
                         const DenseTensor& out_grad,
                         int64_t padding_idx,
                         DenseTensor* weight_grad) {
  const int64_t count = x.numel();
  T* result = dev_ctx.template Alloc<T>(weight_grad);
  primitive::Fill(dev_ctx, result, weight_grad->numel(), T(0));
  if (count == 0 || weight_grad->numel() == 0) return;
  DenseTensor positions = funcs::EmptyTensor<int64_t>(dev_ctx, {count});
  funcs::WithIds(x, [&](const auto* ids) {
    using Id = std::remove_const_t<std::remove_pointer_t<decltype(ids)>>;
    DenseTensor sorted = funcs::EmptyTensor<Id>(dev_ctx, {count});
    SortIds(dev_ctx, ids, count, sorted.data<Id>(), positions.data<int64_t>());
    const unsigned blocks = static_cast<unsigned>(std::min<int64_t>(count, 64 * dev_ctx.GetSMCount()));
    backends::gpu::Launch(dev_ctx,
                          &SumLookups<T, Id>,
                          blocks,
                          kThreads,
                          sorted.data<Id>(),
                          positions.data<int64_t>(),
                          count,
                          out_grad.data<T>(),
                          weight.dims()[0],
                          weight.dims()[1],
                          padding_idx,
                          result);
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(embedding_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::EmbeddingGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
