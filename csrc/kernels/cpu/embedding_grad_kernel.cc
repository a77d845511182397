// SPDX-License-Identifier: Apache-2.0
#include "kernels/embedding_grad_kernel.h"

#include <algorithm>
#include <vector>

#include "core/kernel_registry.h"
#include "kernels/funcs/id_type.h"
#include "primitive/cpu/parallel.h"

namespace phi {

namespace {

// Where each row of the table was looked up, in order: positions[starts[row]] to positions[starts[row + 1]].
struct Lookups {
  std::vector<int64_t> starts;
  std::vector<int64_t> positions;

  template <typename Id>
  Lookups(const Id* ids, int64_t count, int64_t rows, int64_t padding_idx) : starts(rows + 1), positions(count) {
    const auto is_used = [&](int64_t id) { return id >= 0 && id < rows && id != padding_idx; };
    for (int64_t i = 0; i < count; ++i) {
      if (is_used(ids[i])) ++starts[ids[i] + 1];
    }
    for (int64_t row = 0; row < rows; ++row) starts[row + 1] += starts[row];
    std::vector<int64_t> next(starts.begin(), starts.end() - 1);
    for (int64_t i = 0; i < count; ++i) {
      if (is_used(ids[i])) positions[next[ids[i]]++] = i;
    }
  }
};

}  // namespace

template <typename T, typename Context>
void EmbeddingGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& weight,
                         const DenseTensor& out_grad,
                         int64_t padding_idx,
                         DenseTensor* weight_grad) {
  using C = typename dtype::MPTypeTrait<T>::Type;
  constexpr int64_t kGrain = 16384;  // elements that are worth a thread
  const int64_t rows = weight.dims()[0];
  const int64_t width = weight.dims()[1];
  const T* grad = out_grad.data<T>();
  T* result = dev_ctx.template Alloc<T>(weight_grad);
  funcs::WithIds(x, [&](const auto* ids) {
    const Lookups lookups(ids, x.numel(), rows, padding_idx);
    primitive::ParallelFor(
        rows, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), [&](int64_t begin, int64_t end) {
          std::vector<C> sum(width);
          for (int64_t row = begin; row < end; ++row) {
            T* target = result + row * width;
            const int64_t first = lookups.starts[row];
            const int64_t last = lookups.starts[row + 1];
            if (last - first <= 1) {
              last == first ? std::fill_n(target, width, T(0))
                            : std::copy_n(grad + lookups.positions[first] * width, width, target);
              continue;
            }
            std::fill(sum.begin(), sum.end(), C(0));
            for (int64_t i = first; i < last; ++i) {
              const T* source = grad + lookups.positions[i] * width;
              for (int64_t j = 0; j < width; ++j) sum[j] += static_cast<C>(source[j]);
            }
            for (int64_t j = 0; j < width; ++j) target[j] = static_cast<T>(sum[j]);
          }
        });
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(embedding_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::EmbeddingGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
