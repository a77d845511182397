// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Expm1Functor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Expm1(math::Floating(x));
  }
};

struct Expm1GradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return dout * math::Conj(out + V(1));
  }
};

}  // namespace phi
