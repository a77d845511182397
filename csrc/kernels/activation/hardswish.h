// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

// x times the line through (-3, 0) and (3, 1), cut off there; by the real part of a complex x.
struct HardswishFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * math::Clamp(x + V(3), V(0), V(6)) * V(1.0 / 6);
  }
};

struct HardswishGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const auto real = math::Real(x);
    using R = std::remove_const_t<decltype(real)>;
    const V between = dout * math::Conj(x * V(1.0 / 3) + V(0.5));
    return math::Select(real >= R(3), dout, math::Select(real <= R(-3), V(0), between));
  }
};

}  // namespace phi
