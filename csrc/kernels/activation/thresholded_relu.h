// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct ThresholdedReluFunctor {
  T threshold;
  T value;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x <= V(threshold), V(value), x);
  }
};

template <typename T>
struct ThresholdedReluGradFunctor {
  T threshold;
  T value;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x > V(threshold), dout, V(0));
  }
};

}  // namespace phi
