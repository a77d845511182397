// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SoftsignFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x / (V(1) + math::Abs(x));
  }
};

struct SoftsignGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V size = V(1) + math::Abs(x);
    return dout / (size * size);
  }
};

}  // namespace phi
