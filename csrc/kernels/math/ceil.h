// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

struct CeilFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (std::is_integral_v<V>) {
      return x;
    } else {
      return math::Ceil(x);
    }
  }
};

}  // namespace phi
