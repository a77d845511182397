// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/scale_kernel.h"
#include "primitive/elementwise.h"

namespace phi {

// x * scale + bias, or (x + bias) * scale
template <typename C, bool bias_after_scale>
struct ScaleFunctor {
  static constexpr bool kSimd = true;
  C scale;
  C bias;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (std::is_same_v<V, bool>) {
      return bias_after_scale ? (x && scale) || bias : (x || bias) && scale;
    } else if constexpr (bias_after_scale) {
      return static_cast<V>(x * V(scale) + V(bias));
    } else {
      return static_cast<V>((x + V(bias)) * V(scale));
    }
  }
};

// The numbers are converted to the type of x first, so that a scale of 2.7 is 2 for integers.
template <typename T, typename Context>
void ScaleKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const Scalar& scale,
                 const Scalar& bias,
                 bool bias_after_scale,
                 DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const C s = scale.to<C>();
  const C b = bias.to<C>();
  if (bias_after_scale) {
    primitive::ElementwiseUnary<T>(dev_ctx, x, out, ScaleFunctor<C, true>{s, b});
  } else {
    primitive::ElementwiseUnary<T>(dev_ctx, x, out, ScaleFunctor<C, false>{s, b});
  }
}

}  // namespace phi
