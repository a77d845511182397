// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct SoftplusFunctor {
  T beta;
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    const V scaled = x * V(beta);
    const V sum = math::Maximum(scaled, V(0)) + math::Log1p(math::Exp(-math::Abs(scaled)));
    return math::Select(scaled > V(threshold), x, sum / V(beta));
  }
};

template <typename T>
struct SoftplusGradFunctor {
  T beta;
  T threshold;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V scaled = x * V(beta);
    return math::Select(scaled > V(threshold), dout, dout * math::Sigmoid(scaled));
  }
};

}  // namespace phi
