// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct MultiplyFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x * y);
  }
};

struct MultiplyXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V y, V dout) const {
    return static_cast<V>(dout * math::Conj(y));
  }
};

}  // namespace phi
