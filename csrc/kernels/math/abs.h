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

// `dout` in the direction of x, which NaN and an infinity have none of; zero has no gradient.
struct AbsGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x == V(0), V(0), dout * (x / math::Abs(x)));
  }
};

}  // namespace phi
