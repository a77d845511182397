// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

// Logarithms count as at least -100.
struct BceLossFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V label) const {
    const V log_x = math::Maximum(math::Log(x), V(-100)), log_rest = math::Maximum(math::Log(V(1) - x), V(-100));
    return (label - V(1)) * log_rest - label * log_x;
  }
};

struct BceLossGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V label, V dout) const {
    return dout * (x - label) / math::Maximum((V(1) - x) * x, V(1e-12));
  }
};

template <typename T, typename Context>
void BceLossKernel(const Context& dev_ctx, const DenseTensor& input, const DenseTensor& label, DenseTensor* out) {
  primitive::ElementwiseBinary<T>(dev_ctx, input, label, out, BceLossFunctor());
}

template <typename T, typename Context>
void BceLossGradKernel(const Context& dev_ctx,
                       const DenseTensor& input,
                       const DenseTensor& label,
                       const DenseTensor& out_grad,
                       DenseTensor* input_grad) {
  primitive::ElementwiseTernary<T>(dev_ctx, input, label, out_grad, input_grad, BceLossGradFunctor());
}

}  // namespace phi
