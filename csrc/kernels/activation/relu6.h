// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Relu6Functor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Clamp(x, V(0), V(6));
  }
};

// Zero where the result is cut off, and for NaN.
struct Relu6GradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return math::Select(math::And(out > V(0), out < V(6)), dout, V(0));
  }
};

}  // namespace phi
