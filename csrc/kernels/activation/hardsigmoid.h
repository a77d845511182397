// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct HardsigmoidFunctor {
  T slope;
  T offset;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Clamp(x * V(slope) + V(offset), V(0), V(1));
  }
};

// Zero where the result is cut off, and for NaN.
template <typename T>
struct HardsigmoidGradFunctor {
  T slope;
  T offset;
  template <typename V>
  HOSTDEVICE V operator()(V out, V dout) const {
    return math::Select(out > V(0), math::Select(out < V(1), dout * V(slope), V(0)), V(0));
  }
};

}  // namespace phi
