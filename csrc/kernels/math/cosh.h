// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct CoshFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Cosh(math::Floating(x));
  }
};

struct CoshGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Sinh(math::Conj(x));
  }
};

}  // namespace phi
