// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SigmoidFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sigmoid(math::Floating(x));
  }
};

template <typename T>
struct SigmoidGradFunctor {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Conj(out * (V(1) - out));
  }
};

}  // namespace phi
