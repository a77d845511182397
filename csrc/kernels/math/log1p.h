// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Log1pFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Log1p(math::Floating(x));
  }
};

struct Log1pGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(V(1) + x);
  }
};

}  // namespace phi
