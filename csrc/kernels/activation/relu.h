// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// NaN passes through.
struct ReluFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::AtLeast(x, V(0));
  }
};

struct ReluGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return math::Select(out <= V(0), V(0), dout);
  }
};

}  // namespace phi
