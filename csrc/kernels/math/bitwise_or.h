// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

struct BitwiseOrFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return static_cast<V>(x | y);
  }
};

}  // namespace phi
