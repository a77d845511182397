// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct LeakyReluFunctor {
  T slope;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x > V(0), x, x * V(slope));
  }
};

template <typename T>
struct LeakyReluGradFunctor {
  T slope;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x > V(0), dout, dout * V(slope));
  }
};

}  // namespace phi
