// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct BitwiseNotFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if constexpr (std::is_same_v<V, bool>) {
      return !x;
    } else {
      return static_cast<V>(~x);
    }
  }
};

}  // namespace phi
