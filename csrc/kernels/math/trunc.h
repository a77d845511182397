// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/zero.h"
#include "primitive/math.h"

namespace phi {

struct TruncFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V input) const {
    if constexpr (std::is_integral_v<V>) {
      return input;
    } else {
      return math::Trunc(input);
    }
  }
};

}  // namespace phi
