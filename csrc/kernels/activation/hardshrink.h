// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct HardshrinkFunctor {
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Select(math::And(x >= V(-threshold), x <= V(threshold)), V(0), x);
  }
};

template <typename T>
struct HardshrinkGradFunctor {
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(math::And(x >= V(-threshold), x <= V(threshold)), V(0), dout);
  }
};

}  // namespace phi
