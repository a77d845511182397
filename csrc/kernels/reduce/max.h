// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "primitive/elementwise.h"
#include "primitive/reduction.h"

namespace phi {

template <typename T, typename Context>
void MaxKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kMax, x, axes, x.dtype(), out);
}

// Whether an element is the extreme value of its group; all are if that is NaN.
struct IsExtreme {
  template <typename V>
  HOSTDEVICE auto operator()(V x, V extreme) const {
    return math::Or(x == extreme, extreme != extreme);
  }
};

// What each of `count` equal elements gets; NaN where the extreme value is.
struct ShareOfGrad {
  template <typename V, typename Count>
  HOSTDEVICE V operator()(V grad, V extreme, Count count) const {
    return math::Select(extreme == extreme, grad / static_cast<V>(count), extreme);
  }
};

// The gradient of a maximum or minimum `out` of x along the axes.
template <typename T, typename Context>
void ExtremeGrad(const Context& dev_ctx,
                 const DenseTensor& x,
                 DenseTensor out,
                 DenseTensor out_grad,
                 primitive::AxisSet axes,
                 DenseTensor* x_grad) {
  using Count = primitive::ComputeType<T>;
  const DDim kept = funcs::KeptDims(x.dims(), axes);
  DenseTensor is_extreme, count, share;
  is_extreme.Resize(x.dims());
  count.Resize(kept);
  share.Resize(kept);
  out.Resize(kept);
  out_grad.Resize(kept);
  primitive::ElementwiseBinary<T, bool>(dev_ctx, x, out, &is_extreme, IsExtreme());
  constexpr DataType kCount = CppTypeToDataType<Count>::Type();
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, is_extreme, axes, kCount, &count);
  primitive::Elementwise<T, T, T, Count>(dev_ctx, &share, ShareOfGrad(), out_grad, out, count);
  primitive::Keep(dev_ctx, is_extreme, true, share, x_grad);
}

template <typename T, typename Context>
void MaxGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool,
                   bool reduce_all,
                   DenseTensor* x_grad) {
  ExtremeGrad<T>(dev_ctx, x, out, out_grad, funcs::ReduceAxes(axis, x.dims().size(), reduce_all), x_grad);
}

}  // namespace phi
