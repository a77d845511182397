// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SinFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sin(math::Floating(x));
  }
};

struct SinGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Cos(math::Conj(x));
  }
};

}  // namespace phi
