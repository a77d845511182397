// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T>
struct MaximumFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Maximum(x, y);
  }
};

// Equal elements share the gradient; next to a NaN there is none.
struct MaximumXGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return math::Select(x > y, dout, math::Select(x == y, dout * V(0.5), V(0)));
  }
};

template <typename T, typename Context>
void MaximumGradKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& y,
                       const DenseTensor& out_grad,
                       DenseTensor* x_grad,
                       DenseTensor* y_grad) {
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, x, x_grad, MaximumXGradFunctor(), x, y);
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, y, y_grad, MaximumXGradFunctor(), y, x);
}

}  // namespace phi
