// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/sign_bit.h"

namespace phi {

struct AbsFunctor {
  using OfWords = funcs::ClearSignFunctor;
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Abs(x);
  }
};

// The gradient of a complex number is `dout` in its direction. NaN stays NaN, zero has none.
struct AbsGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    if constexpr (dtype::is_complex_v<V>) {
      return x == V(0) ? V(0) : dout * (x / std::abs(x));
    } else {
      return math::Select(x > V(0), dout, math::Select(x < V(0), -dout, x * dout));
    }
  }
};

}  // namespace phi
