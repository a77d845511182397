// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "primitive/elementwise.h"
#include "primitive/reduce.h"

namespace phi {

// |x|^2, in the type of x.
struct SquareOfAbs {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * math::Conj(x);
  }
};

struct RootOf {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Sqrt(x);
  }
};

template <typename T, typename Context>
void FrobeniusNormKernel(
    const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, bool reduce_all, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  DenseTensor sum;
  sum.Resize(out->dims());
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  primitive::Reduce<T, C, primitive::SumOp>(dev_ctx, x, axes, &sum, SquareOfAbs());
  primitive::ElementwiseUnary<C, T>(dev_ctx, sum, out, RootOf());
}

// 0 where the norm is, which is real: so is what passes of its gradient.
struct FrobeniusNormGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V norm, V grad) const {
    return math::Select(norm == V(0), V(0), math::Real(grad) * x / norm);
  }
};

template <typename T, typename Context>
void FrobeniusNormGradKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const DenseTensor& out,
                             const DenseTensor& out_grad,
                             const IntArray& axis,
                             bool,
                             bool reduce_all,
                             DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  DenseTensor norm = out, grad = out_grad;
  for (DenseTensor* one : {&norm, &grad}) one->Resize(funcs::KeptDims(x.dims(), axes));
  primitive::ElementwiseTernary<T>(dev_ctx, x, norm, grad, x_grad, FrobeniusNormGradFunctor());
}

}  // namespace phi
