// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// x times the normal distribution's cumulative function.
struct GeluFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return V(0.5) * x * (V(1) + math::Erf(x * V(0.70710678118654752440)));
  }
};

struct GeluGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V cumulative = V(0.5) * (V(1) + math::Erf(x * V(0.70710678118654752440)));
    const V density = V(0.39894228040143267794) * math::Exp(V(-0.5) * x * x);
    return dout * (cumulative + x * density);
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

}  // namespace phi
