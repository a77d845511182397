// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace my_ops {

// Half types arrive as float; the CPU also calls this with SIMD vectors.
template <typename T>
struct SoftswishFunctor {
  T beta;

  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * phi::math::Sigmoid(V(beta) * x);
  }
};

template <typename T>
struct SoftswishGradFunctor {
  T beta;

  template <typename V>
  HOSTDEVICE V operator()(V x, V out_grad) const {
    const V s = phi::math::Sigmoid(V(beta) * x);
    return out_grad * s * (V(1) + V(beta) * x * (V(1) - s));
  }
};

}  // namespace my_ops
