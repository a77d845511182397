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
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, x, x_grad, MaximumXGradFunctor(), y, x);
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, y, y_grad, MaximumXGradFunctor(), x, y);
}

}  // namespace phi
