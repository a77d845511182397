// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SeluFunctor {
  T scale;
  T alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return V(scale) * math::Select(x > V(0), x, V(alpha) * math::Expm1(x));
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
