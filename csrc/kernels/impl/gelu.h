// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

// x times the normal distribution's cumulative function.
template <bool rough>
struct GeluFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * math::NormalAt<rough>(x).below;
  }
};

template <bool rough>
struct GeluGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto normal = math::NormalAt<rough>(x);
    return dout * (normal.below + x * V(0.39894228040143267794) * normal.bell);
  }
};

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
struct GeluTanhFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return V(0.5) * x * (V(1) + math::Tanh(V(0.79788456080286535588) * x * (V(1) + V(0.044715) * x * x)));
  }
};

struct GeluTanhGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V square = V(0.044715) * x * x;
    const V t = math::Tanh(V(0.79788456080286535588) * x * (V(1) + square));
    const V slope = V(0.79788456080286535588) * (V(1) + V(3) * square);
    return dout * V(0.5) * (V(1) + t + x * slope * (V(1) - t * t));
  }
};

template <typename T, typename Context>
void GeluKernel(const Context& dev_ctx, const DenseTensor& x, bool approximate, DenseTensor* out) {
  if (approximate) return primitive::Map<T>(dev_ctx, out, GeluTanhFunctor(), x);
  primitive::Map<T>(dev_ctx, out, GeluFunctor<primitive::is_small_float_v<T>>(), x);
}

template <typename T, typename Context>
void GeluGradKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, bool approximate, DenseTensor* x_grad) {
  if (approximate) return primitive::Map<T>(dev_ctx, x_grad, GeluTanhGradFunctor(), x, out_grad);
  primitive::Map<T>(dev_ctx, x_grad, GeluGradFunctor<primitive::is_small_float_v<T>>(), x, out_grad);
}

}  // namespace phi
