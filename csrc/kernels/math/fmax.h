// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct FmaxFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Select(x != x, y, math::Select(y != y, x, math::Maximum(x, y)));
  }
};

// Equal elements are x; y is taken for its value, or where x is NaN.
struct FmaxXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return math::Select(math::Or(x >= y, y != y), dout, V(0));
  }
};

struct FmaxYGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return math::Select(math::Or(x >= y, y != y), V(0), dout);
  }
};

}  // namespace phi
