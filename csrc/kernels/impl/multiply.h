// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T>
struct MultiplyFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x * y);
  }
};

struct MultiplyXGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V y, V dout) const {
    return static_cast<V>(dout * math::Conj(y));
  }
};

template <typename T, typename Context>
void MultiplyGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        const DenseTensor& out_grad,
                        int axis,
                        DenseTensor* x_grad,
                        DenseTensor* y_grad) {
  funcs::BinaryGrad<T>(dev_ctx, out_grad, axis, x, x_grad, MultiplyXGradFunctor(), y);
  funcs::BinaryGrad<T>(dev_ctx, out_grad, axis, y, y_grad, MultiplyXGradFunctor(), x);
}

}  // namespace phi
