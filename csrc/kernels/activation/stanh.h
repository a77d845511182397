// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct StanhFunctor {
  T scale_a;
  T scale_b;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return V(scale_b) * math::Tanh(V(scale_a) * x);
  }
};

template <typename T>
struct StanhGradFunctor {
  T scale_a;
  T scale_b;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V tangent = math::Tanh(V(scale_a) * x);
    return dout * V(scale_a) * V(scale_b) * (V(1) - tangent * tangent);
  }
};

}  // namespace phi
