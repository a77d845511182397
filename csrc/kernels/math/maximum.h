// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct MaximumFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Maximum(x, y);
  }
};

// Equal elements share the gradient; next to a NaN there is none.
struct MaximumXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return math::Select(x > y, dout, math::Select(x == y, dout * V(0.5), V(0)));
  }
};

}  // namespace phi
