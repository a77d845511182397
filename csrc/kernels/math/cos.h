// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct CosFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Cos(math::Floating(x));
  }
};

struct CosGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return -dout * math::Sin(math::Conj(x));
  }
};

}  // namespace phi
