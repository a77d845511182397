// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

struct SiluFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x / (V(1) + math::Exp(-x));
  }
};

struct SiluGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V sigmoid = math::Sigmoid(x);
    return dout * math::Conj(sigmoid * (V(1) + x * (V(1) - sigmoid)));
  }
};

}  // namespace phi
