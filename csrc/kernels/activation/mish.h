// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// tanh(log(1 + e^x)) is n / (n + 2) for n = e^x * (e^x + 2), and tanh(x) for n = e^(2x) - 1. Both are 1 from 20 on.
template <typename V, typename T>
HOSTDEVICE V TanhOfSoftplus(V x, V power, T lambda) {
  const V n = math::Select(x > V(lambda), power * power - V(1), power * (power + V(2)));
  return n / (n + V(2));
}

template <typename V>
HOSTDEVICE V BoundedExp(V x) {
  return math::Exp(math::Minimum(x, V(20)));
}

template <typename T>
struct MishFunctor {
  T lambda;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * TanhOfSoftplus(x, BoundedExp(x), lambda);
  }
};

template <typename T>
struct MishGradFunctor {
  T lambda;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V power = BoundedExp(x);
    const V t = TanhOfSoftplus(x, power, lambda);
    const V slope = math::Select(x > V(lambda), V(1), power / (power + V(1)));
    return dout * (t + x * (V(1) - t * t) * slope);
  }
};

}  // namespace phi
