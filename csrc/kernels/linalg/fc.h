// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/add_kernel.h"
#include "kernels/funcs/packed_matmul.h"
#include "kernels/matmul_grad_kernel.h"
#include "kernels/matmul_kernel.h"
#include "kernels/relu_grad_kernel.h"
#include "kernels/relu_kernel.h"
#include "kernels/sum_kernel.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

template <typename T, typename Context>
void MultiplyByWeight(const Context& dev_ctx, const DenseTensor& rows, const DenseTensor& weight, DenseTensor* out) {
  if constexpr (std::is_same_v<T, float>) {
    constexpr int64_t kLeast = 1 << 14;  // multiplications that are worth asking for blocks
    if (weight.is_contiguous() && out->numel() * weight.dims()[0] >= kLeast) {
      return funcs::PackedMatMul<T, Context>(dev_ctx, weight, false, rows.dims()[0]).Run(rows, false, false, out);
    }
  }
  MatmulKernel<T, Context>(dev_ctx, rows, weight, false, false, out);
}

// out = activation(input @ w + bias), of `input` as a matrix: its first in_num_col_dims dimensions are the rows. With
// padding_weights the last 4 rows and columns of w are padding.
template <typename T, typename Context>
void FcKernel(const Context& dev_ctx,
              const DenseTensor& input,
              const DenseTensor& w,
              const paddle::optional<DenseTensor>& bias,
              int in_num_col_dims,
              const std::string& activation_type,
              bool padding_weights,
              DenseTensor* out) {
  const int64_t padding = padding_weights ? 4 : 0;
  const DenseTensor rows = primitive::ViewOf(input, flatten_to_2d(input.dims(), in_num_col_dims));
  const DenseTensor weight = primitive::ViewOf(w, {w.dims()[0] - padding, w.dims()[1] - padding}, w.strides());
  dev_ctx.template Alloc<T>(out);
  DenseTensor result = primitive::ViewOf(*out, {rows.dims()[0], weight.dims()[1]});
  MultiplyByWeight<T, Context>(dev_ctx, rows, weight, &result);
  if (bias) AddKernel<T, Context>(dev_ctx, result, primitive::ViewOf(*bias, {bias->numel()}), &result);
  if (activation_type == "relu") ReluKernel<T, Context>(dev_ctx, result, &result);
}

// A null gradient is not computed.
template <typename T, typename Context>
void FcGradKernel(const Context& dev_ctx,
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
  const DenseTensor rows = primitive::ViewOf(input, flatten_to_2d(input.dims(), in_num_col_dims));
  DenseTensor grad = primitive::ViewOf(out_grad, {rows.dims()[0], w.dims()[1]});
  if (activation_type == "relu") {
    DenseTensor before_relu = primitive::EmptyTensor<T>(dev_ctx, grad.dims());
    ReluGradKernel<T, Context>(dev_ctx, primitive::ViewOf(out, grad.dims()), grad, &before_relu);
    grad = before_relu;
  }
  DenseTensor rows_grad;
  if (input_grad) {
    dev_ctx.template Alloc<T>(input_grad);
    rows_grad = primitive::ViewOf(*input_grad, rows.dims());
  }
  MatmulGradKernel<T, Context>(dev_ctx, rows, w, grad, false, false, input_grad ? &rows_grad : nullptr, w_grad);
  if (bias_grad) SumKernel<T, Context>(dev_ctx, grad, {0}, grad.dtype(), false, bias_grad);
}

}  // namespace phi
