// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/add_kernel.h"
#include "kernels/fc_kernel.h"
#include "kernels/funcs/tensor_view.h"
#include "kernels/matmul_kernel.h"
#include "kernels/relu_kernel.h"

namespace phi {

template <typename T, typename Context>
void FCKernel(const Context& dev_ctx,
              const DenseTensor& input,
              const DenseTensor& w,
              const paddle::optional<DenseTensor>& bias,
              int in_num_col_dims,
              const std::string& activation_type,
              bool padding_weights,
              DenseTensor* out) {
  const int64_t padding = padding_weights ? 4 : 0;
  const DenseTensor rows = funcs::ViewOf(input, flatten_to_2d(input.dims(), in_num_col_dims));
  const DenseTensor weight = funcs::ViewOf(w, {w.dims()[0] - padding, w.dims()[1] - padding}, w.strides());
  dev_ctx.template Alloc<T>(out);
  DenseTensor result = funcs::ViewOf(*out, {rows.dims()[0], weight.dims()[1]});
  MatmulKernel<T, Context>(dev_ctx, rows, weight, false, false, &result);
  if (bias) AddKernel<T, Context>(dev_ctx, result, funcs::ViewOf(*bias, {bias->numel()}), &result);
  if (activation_type == "relu") ReluKernel<T, Context>(dev_ctx, result, &result);
}

}  // namespace phi
