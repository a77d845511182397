// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct Log10Functor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    return math::Log10(math::Floating(x));
  }
};

struct Log10GradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return dout / math::Conj(x * V(2.30258509299404568402));
  }
};

}  // namespace phi
