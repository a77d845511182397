// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "kernels/reduce/reduce_grad.h"
#include "primitive/reduction.h"

namespace phi {

// The mean of bool tells whether any element is true, as in Paddle.
template <typename T, typename Context>
void MeanKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, bool, DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  const auto op = std::is_same_v<T, bool> ? primitive::ReduceOp::kAny : primitive::ReduceOp::kMean;
  primitive::Reduce(dev_ctx, op, x, axes, x.dtype(), out);
}

template <typename T>
struct DivideBy {
  primitive::ComputeType<T> divisor;
  template <typename V>
  HOSTDEVICE V operator()(V grad) const {
    return grad / V(divisor);
  }
};

template <typename T, typename Context>
void MeanGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& out_grad,
                    const IntArray& axis,
                    bool,
                    bool reduce_all,
                    DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  const int64_t results = out_grad.numel();
  const int64_t count = results == 0 ? 0 : x.numel() / results;
  using Real = typename dtype::RealTypeTrait<primitive::ComputeType<T>>::Type;
  const DivideBy<T> divide{primitive::ComputeType<T>(static_cast<Real>(count))};
  SpreadGrad<T>(dev_ctx, x, out_grad, axes, divide, x_grad);
}

}  // namespace phi
