// SPDX-License-Identifier: Apache-2.0
#include "kernels/embedding_kernel.h"

#include <algorithm>

#include "core/kernel_registry.h"
#include "kernels/funcs/id_type.h"
#include "primitive/cpu/parallel.h"

namespace phi {

template <typename T, typename Context>
void EmbeddingKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& weight, int64_t padding_idx, DenseTensor* out) {
  constexpr int64_t kGrain = 16384;  // elements that are worth a thread
  const int64_t rows = weight.dims()[0];
  const int64_t width = weight.dims()[1];
  const T* table = weight.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  funcs::WithIds(x, [&](const auto* ids) {
    primitive::ParallelFor(
        x.numel(), std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t id = ids[i];
            if (id == padding_idx && padding_idx != -1) {
              std::fill_n(result + i * width, width, T(0));
              continue;
            }
            PADDLE_ENFORCE(id >= 0 && id < rows,
                           errors::InvalidArgument(
                               "argument 'x': expected ids in [0, %d), the rows of 'weight', got %d", rows, id));
            std::copy_n(table + id * width, width, result + i * width);
          }
        });
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(embedding,
                   CPU,
                   ALL_LAYOUT,
                   phi::EmbeddingKernel,
                   int8_t,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
