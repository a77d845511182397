// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/all_lanes.h"

namespace phi {

template <typename T>
struct SeluFunctor {
  T scale;
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const auto is_positive = x > V(0);
    if (math::All(is_positive)) return V(scale) * x;
    return V(scale) * math::Select(is_positive, x, V(alpha) * math::Expm1(x));
  }
};

template <typename T>
struct SeluGradFunctor {
  T scale;
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Select(out > V(0), V(scale), out + V(scale) * V(alpha));
  }
};

}  // namespace phi
