// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Log2Functor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Log2(math::Floating(x));
  }
};

struct Log2GradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(x * V(0.69314718055994530942));
  }
};

}  // namespace phi
