// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_registry.h"
#include "core/selected_rows.h"
#include "kernels/funcs/numbers_of_host.h"
#include "primitive/gather.h"

namespace phi {

// The gradient of embedding for `weight`: the row of out_grad for each id but padding_idx, in their order.
template <typename T, typename Context>
void EmbeddingSparseGradKernel(const Context& dev_ctx,
                               const DenseTensor& x,
                               const DenseTensor& weight,
                               const DenseTensor& out_grad,
                               int64_t padding_idx,
                               SelectedRows* weight_grad) {
  const std::vector<int64_t> ids = funcs::ToHost(dev_ctx, x);
  const int64_t height = weight.dims()[0], width = weight.dims()[1];
  std::vector<int64_t> rows, places;
  for (size_t i = 0; i < ids.size(); ++i) {
    PADDLE_ENFORCE(0 <= ids[i] && ids[i] < height,
                   errors::OutOfRange("argument 'x': expected ids in [0, %d), got %d", height, ids[i]));
    if (ids[i] == padding_idx) continue;
    rows.push_back(ids[i]);
    places.push_back(static_cast<int64_t>(i));
  }
  weight_grad->set_rows(rows);
  weight_grad->set_height(height);
  DenseTensor* values = weight_grad->mutable_value();
  *values = DenseTensor().Resize({static_cast<int64_t>(rows.size()), width});
  dev_ctx.template Alloc<T>(values);
  if (values->numel() == 0) return;
  const primitive::LookupTable table{"x", 1, static_cast<int64_t>(ids.size()), width, /*wraps=*/false};
  GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, table, funcs::ToDevice(dev_ctx, places), out_grad, values);
}

}  // namespace phi

PD_REGISTER_KERNEL(embedding_sparse_grad,
                   ALL_BACKEND,
                   ALL_LAYOUT,
                   phi::EmbeddingSparseGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16,
                   phi::dtype::complex<float>,
                   phi::dtype::complex<double>) {}
