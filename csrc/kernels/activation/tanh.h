// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct TanhFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Tanh(math::Floating(x));
  }
};

struct TanhGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Conj(V(1) - out * out);
  }
};

}  // namespace phi
