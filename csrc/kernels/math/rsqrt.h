// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct RsqrtFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Rsqrt(math::Floating(x));
  }
};

struct RsqrtGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return V(-0.5) * dout * out * out * out;
  }
};

}  // namespace phi
