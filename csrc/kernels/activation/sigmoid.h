// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SigmoidFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sigmoid(math::Floating(x));
  }
};

struct SigmoidGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Conj(out * (V(1) - out));
  }
};

}  // namespace phi
