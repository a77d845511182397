// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Atan2Functor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Atan2(x, y);
  }
};

struct Atan2XGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return dout * y / (x * x + y * y);
  }
};

struct Atan2YGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return -dout * x / (x * x + y * y);
  }
};

}  // namespace phi
