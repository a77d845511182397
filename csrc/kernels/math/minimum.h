// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/math/maximum.h"

namespace phi {

struct MinimumFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Minimum(x, y);
  }
};

}  // namespace phi
