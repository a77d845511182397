// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

struct HeavisideFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Select(x == V(0), y, math::Select(x > V(0), V(1), V(0)));
  }
};

struct HeavisideYGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x == V(0), dout, V(0));
  }
};

}  // namespace phi
