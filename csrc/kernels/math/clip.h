// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "primitive/math.h"

namespace phi {

template <typename C>
struct ClipFunctor {
  C min;
  C max;
  ClipFunctor(const Scalar& min, const Scalar& max) : min(min.clamped<C>()), max(max.clamped<C>()) {}
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Clamp(x, V(min), V(max));
  }
};

// The bounds count as inside; NaN does not.
template <typename C>
struct ClipGradFunctor {
  C min;
  C max;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x >= V(min), math::Select(x <= V(max), dout, V(0)), V(0));
  }
};

}  // namespace phi
