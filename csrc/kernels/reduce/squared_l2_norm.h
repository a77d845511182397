// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"
#include "primitive/reduce.h"

namespace phi {

struct SquareOf {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * x;
  }
};

template <typename T, typename Context>
void SquaredL2NormKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  primitive::Reduce<T, T, primitive::SumOp>(dev_ctx, x, primitive::AxisSet(), out, SquareOf());
}

struct SquaredL2NormGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V grad) const {
    return V(2) * x * grad;
  }
};

template <typename T, typename Context>
void SquaredL2NormGradKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const DenseTensor& out_grad,
                             DenseTensor* x_grad) {
  DenseTensor grad = out_grad;  // of the shape [1], which broadcasts even to no dimensions
  grad.Resize({});
  primitive::ElementwiseBinary<T>(dev_ctx, x, grad, x_grad, SquaredL2NormGradFunctor());
}

}  // namespace phi
