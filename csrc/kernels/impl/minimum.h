// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/maximum.h"

namespace phi {

template <typename T>
struct MinimumFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Minimum(x, y);
  }
};

// The smaller one is the one that the other exceeds: maximum's gradient with x and y exchanged.
template <typename T, typename Context>
void MinimumGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& y,
                       const DenseTensor& out_grad,
                       DenseTensor* x_grad,
                       DenseTensor* y_grad) {
  const DDim& whole = out_grad.dims();
  const MaximumXGradFunctor functor;
  funcs::BinaryGrad<T>(dev_ctx, x, whole, -1, x_grad, functor, y, x, out_grad);
  funcs::BinaryGrad<T>(dev_ctx, y, whole, -1, y_grad, functor, x, y, out_grad);
}

}  // namespace phi
