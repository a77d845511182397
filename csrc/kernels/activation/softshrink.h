// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SoftshrinkFunctor {
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const V within = x * V(0);  // NaN stays
    return math::Select(x > V(threshold), x - V(threshold), math::Select(x < V(-threshold), x + V(threshold), within));
  }
};

template <typename T>
struct SoftshrinkGradFunctor {
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(math::And(x >= V(-threshold), x <= V(threshold)), V(0), dout);
  }
};

}  // namespace phi
