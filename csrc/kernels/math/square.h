// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SquareFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return static_cast<V>(x * x);
  }
};

struct SquareGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * V(2) * math::Conj(x);
  }
};

}  // namespace phi
