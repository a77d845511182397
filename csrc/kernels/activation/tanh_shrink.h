// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct TanhShrinkFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x - math::Tanh(x);
  }
};

struct TanhShrinkGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V tangent = math::Tanh(x);
    return dout * tangent * tangent;
  }
};

}  // namespace phi
