// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct AtanFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Atan(math::Floating(x));
  }
};

struct AtanGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(V(1) + x * x);
  }
};

}  // namespace phi
