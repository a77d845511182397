// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SinhFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Sinh(math::Floating(x));
  }
};

struct SinhGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout * math::Cosh(math::Conj(x));
  }
};

}  // namespace phi
