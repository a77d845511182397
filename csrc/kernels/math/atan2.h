// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Atan2Functor {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V y) const {
    if constexpr (std::is_integral_v<V>) {
      return math::Atan2(static_cast<double>(x), static_cast<double>(y));
    } else {
      return math::Atan2(x, y);
    }
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
