// SPDX-License-Identifier: Apache-2.0
#include "kernels/embedding_kernel.h"

#include <cstdio>

#include "backends/gpu/gpu_launch.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/id_type.h"

namespace phi {

namespace {

constexpr int kThreads = 256;

// Rows as units of memory: `width` of them.
template <typename Unit, typename Id>
__global__ void LookUpRows(
    const Id* ids, int64_t count, const Unit* table, int64_t rows, int64_t width, int64_t padding_idx, Unit* out) {
  const int64_t grid = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count * width; i += grid) {
    const int64_t id = ids[i / width];
    if (id == padding_idx && padding_idx != -1) {
      out[i] = Unit{};
      continue;
    }
    if (id < 0 || id >= rows) {
      printf("embedding: argument 'x': expected ids in [0, %lld), the rows of 'weight', got %lld\n",
             static_cast<long long>(rows),
             static_cast<long long>(id));
      __trap();
    }
    out[i] = table[id * width + i % width];
  }
}

template <typename Unit>
void LaunchLookUp(const GPUContext& dev_ctx,
                  const DenseTensor& x,
                  const DenseTensor& weight,
                  int64_t row_bytes,
                  int64_t padding_idx,
                  DenseTensor* out) {
  const int64_t width = row_bytes / static_cast<int64_t>(sizeof(Unit));
  const unsigned blocks = std::min(backends::gpu::GridSize(x.numel() * width, kThreads), 32u * dev_ctx.GetSMCount());
  funcs::WithIds(x, [&](const auto* ids) {
    using Id = std::remove_const_t<std::remove_pointer_t<decltype(ids)>>;
    backends::gpu::Launch(dev_ctx,
                          &LookUpRows<Unit, Id>,
                          blocks,
                          kThreads,
                          ids,
                          x.numel(),
                          static_cast<const Unit*>(weight.data()),
                          weight.dims()[0],
                          width,
                          padding_idx,
                          static_cast<Unit*>(out->data()));
  });
}

}  // namespace

template <typename T, typename Context>
void EmbeddingKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t padding_idx, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const int64_t row_bytes = weight.dims()[1] * static_cast<int64_t>(sizeof(T));
  // its lowest set bit divides both addresses and the row
  const uintptr_t alignment =
      reinterpret_cast<uintptr_t>(weight.data()) | reinterpret_cast<uintptr_t>(out->data()) | row_bytes;
  if (alignment % sizeof(uint4) == 0) {
    LaunchLookUp<uint4>(dev_ctx, x, weight, row_bytes, padding_idx, out);
  } else if (alignment % sizeof(uint32_t) == 0) {
    LaunchLookUp<uint32_t>(dev_ctx, x, weight, row_bytes, padding_idx, out);
  } else if (alignment % sizeof(uint16_t) == 0) {
    LaunchLookUp<uint16_t>(dev_ctx, x, weight, row_bytes, padding_idx, out);
  } else {
    LaunchLookUp<uint8_t>(dev_ctx, x, weight, row_bytes, padding_idx, out);
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(embedding,
                   GPU,
                   ALL_LAYOUT,
                   phi::EmbeddingKernel,
                   int8_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
