// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct CeluFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x > V(0), x, V(alpha) * math::Expm1(x / V(alpha)));
  }
};

template <typename T>
struct CeluGradFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x > V(0), dout, dout * math::Exp(x / V(alpha)));
  }
};

}  // namespace phi
