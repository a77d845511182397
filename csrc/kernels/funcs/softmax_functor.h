// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi::funcs {

// exp; of SIMD vectors within 20 units in the last place, and fast
template <typename T>
HOSTDEVICE inline T FastExp(T x) {
  return math::Exp(x);
}
#ifndef __CUDACC__
template <typename T>
inline at::vec::Vectorized<T> FastExp(const at::vec::Vectorized<T>& x) {
  return x.exp_u20();
}
#endif

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
    return dy - FastExp(y) * sum;
  }
};

}  // namespace phi::funcs
