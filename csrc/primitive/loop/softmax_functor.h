// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi::primitive {

// The gradients of softmax and log_softmax along an axis: Gradient(y, dy, the sum of Term(y, dy)). For numbers and SIMD
// vectors.
struct SoftmaxGradFunctor {
  template <typename V>
  HOSTDEVICE static V Term(V y, V dy) {
    return y * dy;
  }
  template <typename V>
  HOSTDEVICE static V Gradient(V y, V dy, V sum) {
    return (dy - sum) * y;
  }
};

struct LogSoftmaxGradFunctor {
  template <typename V>
  HOSTDEVICE static V Term(V, V dy) {
    return dy;
  }
  template <typename V>
  HOSTDEVICE static V Gradient(V y, V dy, V sum) {
    return dy - math::Exp(y) * sum;
  }
};

}  // namespace phi::primitive
