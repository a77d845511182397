// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "primitive/cast.h"
#include "primitive/reduction.h"

namespace phi {

// `op` of whether elements are other than 0.
inline void LogicalReduce(const DeviceContext& dev_ctx,
                          primitive::ReduceOp op,
                          const DenseTensor& x,
                          const std::vector<int64_t>& axis,
                          DenseTensor* out) {
  const primitive::AxisSet axes = funcs::ReduceAxes({axis.data(), axis.size()}, x.dims().size());
  if (x.dtype() == DataType::BOOL) return primitive::Reduce(dev_ctx, op, x, axes, DataType::BOOL, out);
  DenseTensor truth;
  truth.Resize(x.dims());
  primitive::CastTo(dev_ctx, x, DataType::BOOL, &truth);
  primitive::Reduce(dev_ctx, op, truth, axes, DataType::BOOL, out);
}

template <typename T, typename Context>
void AllKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int64_t>& axis, bool, DenseTensor* out) {
  LogicalReduce(dev_ctx, primitive::ReduceOp::kAll, x, axis, out);
}

}  // namespace phi
