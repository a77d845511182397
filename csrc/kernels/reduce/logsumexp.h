// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "kernels/funcs/row_blocks.h"
#include "primitive/elementwise.h"
#include "primitive/reduction.h"

namespace phi {

// 0 in the place of an infinite maximum, from which nothing is to be subtracted.
struct FiniteMax {
  template <typename V>
  HOSTDEVICE V operator()(V max) const {
    return math::Select(max - max == V(0), max, math::Select(max == max, V(0), max));
  }
};

struct ExpOfDifference {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return math::Exp(x - y);
  }
};

struct LogPlus {
  template <typename V>
  HOSTDEVICE V operator()(V sum, V max) const {
    return max + math::Log(sum);
  }
};

// Of contiguous tensors; `out` has memory, and the reduced dimensions.
template <typename T, typename Context>
void LogsumexpOf(const Context& dev_ctx, const DenseTensor& x, primitive::AxisSet axes, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  DenseTensor max, shifted, sum;
  for (DenseTensor* one : {&max, &sum}) one->Resize(out->dims());
  shifted.Resize(x.dims());
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kMax, x, axes, x.dtype(), &max);
  primitive::ElementwiseUnary<T>(dev_ctx, max, &max, FiniteMax());
  primitive::Elementwise<C, T, T>(dev_ctx, &shifted, ExpOfDifference(), x, max);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, shifted, axes, shifted.dtype(), &sum);
  primitive::Elementwise<T, C, T>(dev_ctx, out, LogPlus(), sum, max);
}

template <typename T, typename Context>
void LogsumexpKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const std::vector<int>& axis,
                     bool,
                     bool reduce_all,
                     DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  DenseTensor kept = primitive::ViewOf(*out, funcs::KeptDims(x.dims(), axes));
  if (x.dims().size() == 0 || axes.Has(0) || x.numel() == 0) return LogsumexpOf<T>(dev_ctx, x, axes, &kept);
  const int64_t rows = x.dims()[0];
  funcs::ForEachRowBlock(dev_ctx, rows, x.numel() / rows, [&](int64_t begin, int64_t end) {
    DenseTensor part = funcs::RowsOf(kept, begin, end);
    LogsumexpOf<T>(dev_ctx, funcs::RowsOf(x, begin, end), axes, &part);
  });
}

struct LogsumexpGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V out, V grad) const {
    return grad * math::Exp(x - out);
  }
};

template <typename T, typename Context>
void LogsumexpGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& out,
                         const DenseTensor& out_grad,
                         const std::vector<int>& axis,
                         bool,
                         bool reduce_all,
                         DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  DenseTensor total = out, grad = out_grad;
  for (DenseTensor* one : {&total, &grad}) one->Resize(funcs::KeptDims(x.dims(), axes));
  primitive::ElementwiseTernary<T>(dev_ctx, x, total, grad, x_grad, LogsumexpGradFunctor());
}

}  // namespace phi
