// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/activation.h"
#include "kernels/funcs/broadcast_grad.h"
#include "kernels/matmul_grad_kernel.h"
#include "kernels/matmul_kernel.h"
#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

// out = activation(x @ y + bias) of x as a matrix. `reserve_space`, what the activation is of, may be null.
template <typename T, typename Context>
void FusedGemmEpilogueKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const DenseTensor& y,
                             const DenseTensor& bias,
                             bool trans_x,
                             bool trans_y,
                             const std::string& activation,
                             DenseTensor* out,
                             DenseTensor* reserve_space) {
  dev_ctx.template Alloc<T>(out);
  const DenseTensor matrix = primitive::ViewOf(x, flatten_to_2d(x.dims(), trans_x ? 1 : x.dims().size() - 1));
  const DenseTensor row = primitive::ViewOf(bias, {bias.numel()});
  DenseTensor result = primitive::ViewOf(*out, {matrix.dims()[trans_x ? 1 : 0], bias.numel()});
  MatmulKernel<T, Context>(dev_ctx, matrix, y, trans_x, trans_y, &result);
  const funcs::Activation last = funcs::MakeActivation(activation);
  if (reserve_space == nullptr) {
    primitive::Map<T>(dev_ctx, &result, funcs::AddActivate{last}, result, row);
  } else {
    dev_ctx.template Alloc<T>(reserve_space);
    DenseTensor before = primitive::ViewOf(*reserve_space, result.dims());
    primitive::Map<T>(dev_ctx, &before, funcs::AddActivate{funcs::MakeActivation("none")}, result, row);
    primitive::Map<T>(dev_ctx, &result, last, before);
  }
}

// `reserve_space` is what the activation is of, which decides as the result does. A null gradient is not computed.
template <typename T, typename Context>
void FusedGemmEpilogueGradKernel(const Context& dev_ctx,
                                 const DenseTensor& x,
                                 const DenseTensor& y,
                                 const DenseTensor& bias,
                                 const DenseTensor& reserve_space,
                                 const DenseTensor& out_grad,
                                 bool trans_x,
                                 bool trans_y,
                                 const std::string& activation,
                                 DenseTensor* x_grad,
                                 DenseTensor* y_grad,
                                 DenseTensor* bias_grad) {
  const DDim dims = flatten_to_2d(x.dims(), trans_x ? 1 : x.dims().size() - 1);
  const DDim result{dims[trans_x ? 1 : 0], bias.numel()};
  DenseTensor grad = primitive::ViewOf(out_grad, result);
  const funcs::Activation last = funcs::MakeActivation(activation);
  if (last.kind != funcs::Activation::Kind::kIdentity) {
    DenseTensor before = primitive::EmptyTensor<T>(dev_ctx, result);
    primitive::Map<T>(dev_ctx, &before, funcs::ActivationGrad{last}, primitive::ViewOf(reserve_space, result), grad);
    grad = before;
  }
  DenseTensor matrix;
  if (x_grad) {
    dev_ctx.template Alloc<T>(x_grad);
    matrix = primitive::ViewOf(*x_grad, dims);
  }
  MatmulGradKernel<T, Context>(
      dev_ctx, primitive::ViewOf(x, dims), y, grad, trans_x, trans_y, x_grad ? &matrix : nullptr, y_grad);
  if (bias_grad) funcs::SumBroadcast(dev_ctx, grad, {1, result[1]}, bias_grad->dtype(), bias_grad);
}

}  // namespace phi
