// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/sign_bit.h"

namespace phi {

template <typename T>
struct AbsFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Abs(x);
  }
};

template <typename T, typename Context>
void AbsKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  funcs::MapSign<T, funcs::ClearSignFunctor>(dev_ctx, x, out, AbsFunctor<primitive::ComputeType<T>>());
}

// The gradient of a complex number is `dout` in its direction. NaN stays NaN, zero has none.
template <typename T>
struct AbsGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    if constexpr (dtype::is_complex_v<V>) {
      return x == V(0) ? V(0) : dout * (x / std::abs(x));
    } else {
      return math::Select(x > V(0), dout, math::Select(x < V(0), -dout, x * dout));
    }
  }
};

}  // namespace phi
