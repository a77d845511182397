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
  funcs::BinaryGrad<T>(dev_ctx, out_grad, axis, x, x_grad, DivideXGradFunctor(), y);
  funcs::BinaryGrad<T>(dev_ctx, out_grad, axis, y, y_grad, DivideYGradFunctor(), y, out);
}

}  // namespace phi
