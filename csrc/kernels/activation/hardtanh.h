// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct HardtanhFunctor {
  T t_min;
  T t_max;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Clamp(x, V(t_min), V(t_max));
  }
};

template <typename T>
struct HardtanhGradFunctor {
  T t_min;
  T t_max;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(math::And(x > V(t_min), x < V(t_max)), dout, V(0));
  }
};

}  // namespace phi
