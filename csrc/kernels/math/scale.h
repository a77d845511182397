// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

// x * scale + bias, or (x + bias) * scale; of bools, with && and ||
template <typename C>
struct ScaleFunctor {
  C scale;
  C bias;
  bool bias_after_scale;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return static_cast<V>(bias_after_scale ? x * V(scale) + V(bias) : (x + V(bias)) * V(scale));
  }
};

}  // namespace phi
