// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/fc_grad_kernel.h"
#include "kernels/funcs/tensor_view.h"
#include "kernels/matmul_grad_kernel.h"
#include "kernels/relu_grad_kernel.h"
#include "kernels/sum_kernel.h"

namespace phi {

template <typename T, typename Context>
void FCGradKernel(const Context& dev_ctx,
                  const DenseTensor& input,
                  const DenseTensor& w,
                  const paddle::optional<DenseTensor>& bias,
                  const DenseTensor& out,
                  const DenseTensor& out_grad,
                  int in_num_col_dims,
                  const std::string& activation_type,
                  bool padding_weights,
                  DenseTensor* input_grad,
                  DenseTensor* w_grad,
                  DenseTensor* bias_grad) {
  const DenseTensor rows = funcs::ViewOf(input, flatten_to_2d(input.dims(), in_num_col_dims));
  DenseTensor grad = funcs::ViewOf(out_grad, {rows.dims()[0], w.dims()[1]});
  if (activation_type == "relu") {
    DenseTensor before_relu = funcs::EmptyTensor<T>(dev_ctx, grad.dims());
    ReluGradKernel<T, Context>(dev_ctx, funcs::ViewOf(out, grad.dims()), grad, &before_relu);
    grad = before_relu;
  }
  DenseTensor rows_grad;
  if (input_grad) {
    dev_ctx.template Alloc<T>(input_grad);
    rows_grad = funcs::ViewOf(*input_grad, rows.dims());
  }
  MatmulGradKernel<T, Context>(dev_ctx, rows, w, grad, false, false, input_grad ? &rows_grad : nullptr, w_grad);
  if (bias_grad) SumKernel<T, Context>(dev_ctx, grad, {0}, grad.dtype(), false, bias_grad);
}

}  // namespace phi
