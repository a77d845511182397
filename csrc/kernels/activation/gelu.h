// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// The distribution whose cumulative function is (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2.
template <typename V>
HOSTDEVICE math::Normal<V> TanhNormalAt(V x) {
  const V square = V(0.044715) * x * x;
  const V t = math::Tanh(V(0.79788456080286535588) * x * (V(1) + square));
  const V slope = V(0.39894228040143267794) * (V(1) + V(3) * square);
  return {V(0.5) * (V(1) + t), slope * (V(1) - t * t)};
}

struct GeluFunctor {
  bool approximate;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * (approximate ? TanhNormalAt(x) : math::NormalAt(x)).below;
  }
};

struct GeluGradFunctor {
  bool approximate;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto normal = approximate ? TanhNormalAt(x) : math::NormalAt(x);
    return dout * (normal.below + x * normal.density);
  }
};

}  // namespace phi
