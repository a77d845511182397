// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct TanFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Tan(math::Floating(x));
  }
};

struct TanGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V tangent = math::Tan(x);
    return dout * math::Conj(V(1) + tangent * tangent);
  }
};

}  // namespace phi
