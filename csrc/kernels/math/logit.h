// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct LogitFunctor {
  T eps;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const V bounded = eps > T(0) ? math::Clamp(x, V(eps), V(T(1) - eps)) : x;
    return math::Log(bounded / (V(1) - bounded));
  }
};

template <typename T>
struct LogitGradFunctor {
  T eps;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto within = math::And(x >= V(eps), x <= V(T(1) - eps));
    return math::Select(within, dout / (x * (V(1) - x)), eps > T(0) ? V(0) : V(NAN));
  }
};

}  // namespace phi
