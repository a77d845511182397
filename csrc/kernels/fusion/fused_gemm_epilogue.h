// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/activation.h"
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

}  // namespace phi
