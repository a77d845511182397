// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

template <typename T>
struct SiluFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x / (V(1) + math::Exp(-x));
  }
};

struct SiluGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V sigmoid = math::Sigmoid(x);
    return dout * math::Conj(sigmoid * (V(1) + x * (V(1) - sigmoid)));
  }
};

// `out` is PHI's; nothing is won by reading it.
template <typename T, typename Context>
void SiluGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& out,
                    const DenseTensor& out_grad,
                    DenseTensor* x_grad) {
  primitive::Map<T>(dev_ctx, x_grad, SiluGradFunctor(), x, out_grad);
}

}  // namespace phi
