// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/gelu_grad_kernel.h"
#include "kernels/impl/gelu.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void GeluGradKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, bool approximate, DenseTensor* x_grad) {
  if (approximate) {
    primitive::ElementwiseBinary<T>(dev_ctx, x, out_grad, x_grad, GeluTanhGradFunctor());
  } else {
    primitive::ElementwiseBinary<T>(dev_ctx, x, out_grad, x_grad, GeluGradFunctor());
  }
}

}  // namespace phi
