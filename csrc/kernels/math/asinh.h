// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct AsinhFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Asinh(math::Floating(x));
  }
};

struct AsinhGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(math::Sqrt(x * x + V(1)));
  }
};

}  // namespace phi
