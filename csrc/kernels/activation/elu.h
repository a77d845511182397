// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct EluFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(x > V(0), x, V(alpha) * math::Expm1(x));
  }
};

template <typename T>
struct EluGradFunctor {
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x > V(0), dout, dout * V(alpha) * math::Exp(x));
  }
};

}  // namespace phi
