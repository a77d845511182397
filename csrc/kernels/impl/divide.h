// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T>
struct DivideFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    return math::Floating(x) / math::Floating(y);
  }
};

struct DivideXGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V y, V dout) const {
    return dout / math::Conj(y);
  }
};

struct DivideYGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V y, V out, V dout) const {
    return -dout * math::Conj(out / y);
  }
};

template <typename T, typename Context>
void DivideGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& y,
                      const DenseTensor& out,
                      const DenseTensor& out_grad,
                      int axis,
                      DenseTensor* x_grad,
                      DenseTensor* y_grad) {
  const DDim& whole = out_grad.dims();
  const DenseTensor divisor = funcs::AlignAtAxis(y, whole.size(), axis);
  funcs::BinaryGrad<T>(dev_ctx, x, whole, axis, x_grad, DivideXGradFunctor(), divisor, out_grad);
  funcs::BinaryGrad<T>(dev_ctx, y, whole, axis, y_grad, DivideYGradFunctor(), divisor, out, out_grad);
}

}  // namespace phi
