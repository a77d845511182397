// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/all_lanes.h"

namespace phi {

template <typename T>
struct CeluFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const auto is_positive = x > V(0);
    return math::All(is_positive) ? x : math::Select(is_positive, x, V(alpha) * math::Expm1(x / V(alpha)));
  }
};

template <typename T>
struct CeluGradFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto is_positive = x > V(0);
    return math::All(is_positive) ? dout : math::Select(is_positive, dout, dout * math::Exp(x / V(alpha)));
  }
};

}  // namespace phi
