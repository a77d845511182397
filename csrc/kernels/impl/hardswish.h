// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// x times the line through (-3, 0) and (3, 1), cut off there.
struct HardswishFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * math::Clamp(x + V(3), V(0), V(6)) * V(1.0 / 6);
  }
};

struct HardswishGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x >= V(3), dout, math::Select(x <= V(-3), V(0), dout * (x * V(1.0 / 3) + V(0.5))));
  }
};

}  // namespace phi
