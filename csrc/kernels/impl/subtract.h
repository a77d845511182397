// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"
#include "kernels/funcs/sign_bit.h"

namespace phi {

template <typename T>
struct SubtractFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x - y);
  }
};

template <typename T, typename Context>
void SubtractGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& y,
                        const DenseTensor& out_grad,
                        int axis,
                        DenseTensor* x_grad,
                        DenseTensor* y_grad) {
  funcs::SumToInput(dev_ctx, out_grad, axis, x, x_grad);
  if (y_grad == nullptr) return;
  const bool whole = y.dims() == out_grad.dims();
  if (!whole) funcs::SumToInput(dev_ctx, out_grad, axis, y, y_grad);
  funcs::Negate<T>(dev_ctx, whole ? out_grad : *y_grad, y_grad);
}

}  // namespace phi
