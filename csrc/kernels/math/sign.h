// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct SignFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (dtype::is_complex_v<V>) {
      return x == V(0) ? x : x / std::abs(x);
    } else {
      return math::Select(x > V(0), V(1), math::Select(x < V(0), V(-1), x));
    }
  }
};

}  // namespace phi
