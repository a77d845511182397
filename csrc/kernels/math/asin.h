// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct AsinFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Asin(math::Floating(x));
  }
};

struct AsinGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(math::Sqrt(V(1) - x * x));
  }
};

}  // namespace phi
