// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/funcs/reduce_axes.h"
#include "primitive/elementwise.h"
#include "primitive/fill.h"
#include "primitive/reduce.h"
#include "primitive/reduction.h"

namespace phi {

struct AbsOf {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Abs(x);
  }
};

// |x|^order; what 0 has to the power 0 is 0.
template <typename C>
struct PowerOfAbs {
  C order;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    if (order == C(0)) return math::Select(x == V(0), V(0), V(1));
    return math::Power(math::Abs(x), order);
  }
};

template <typename C>
struct PowerOf {
  C exponent;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return math::Power(x, exponent);
  }
};

inline primitive::AxisSet NormAxes(int axis, bool asvector, int rank) {
  return funcs::ReduceAxes(IntArray{axis}, rank, asvector);
}

template <typename T, typename Context>
void PNormKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 float porder,
                 int axis,
                 float,
                 bool,
                 bool asvector,
                 DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  if (x.numel() == 0) {
    dev_ctx.template Alloc<T>(out);
    if (out->numel() > 0) primitive::FillWith(dev_ctx, 0, out);
    return;
  }
  const primitive::AxisSet axes = NormAxes(axis, asvector, x.dims().size());
  if (porder == 2) return primitive::Reduce(dev_ctx, primitive::ReduceOp::kNorm, x, axes, x.dtype(), out);
  if (std::isinf(porder)) {
    porder > 0 ? primitive::Reduce<T, T, primitive::MaxOp>(dev_ctx, x, axes, out, AbsOf())
               : primitive::Reduce<T, T, primitive::MinOp>(dev_ctx, x, axes, out, AbsOf());
    return;
  }
  DenseTensor sum;
  sum.Resize(out->dims());
  primitive::Reduce<T, C, primitive::SumOp>(dev_ctx, x, axes, &sum, PowerOfAbs<C>{porder});
  const C root = porder == 0 ? C(1) : C(1) / static_cast<C>(porder);
  primitive::ElementwiseUnary<C, T>(dev_ctx, sum, out, PowerOf<C>{root});
}

// Without a case for infinite norms, whose gradient is that of the elements which have the norm for a size.
template <typename C>
struct PNormGradFunctor {
  C order;
  C epsilon;
  template <typename V>
  HOSTDEVICE V operator()(V x, V norm, V grad) const {
    const V size = math::Abs(x);
    const V sign = math::Select(x == V(0), V(0), math::Select(x > V(0), V(1), math::Select(x < V(0), V(-1), x)));
    if (std::isinf(order)) return math::Select(size == norm, grad * sign, sign * V(0));
    if (order == C(0)) return V(0);
    const V power = math::Power(size, order - C(1));
    const V total = math::Power(norm, order - C(1));
    return grad * sign * power / (total + V(epsilon));
  }
};

template <typename T, typename Context>
void PNormGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& out,
                     const DenseTensor& out_grad,
                     float porder,
                     int axis,
                     float epsilon,
                     bool,
                     bool asvector,
                     DenseTensor* x_grad) {
  using C = primitive::ComputeType<T>;
  const primitive::AxisSet axes = NormAxes(axis, asvector, x.dims().size());
  DenseTensor norm = out, grad = out_grad;
  for (DenseTensor* one : {&norm, &grad}) one->Resize(funcs::KeptDims(x.dims(), axes));
  primitive::ElementwiseTernary<T>(dev_ctx, x, norm, grad, x_grad, PNormGradFunctor<C>{C(porder), C(epsilon)});
}

}  // namespace phi
