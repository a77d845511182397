// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/argmax_kernel.h"
#include "primitive/arg_reduce.h"

namespace phi {

template <typename T, typename Context>
void ArgmaxKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& axis, bool, bool flatten, DataType, DenseTensor* out) {
  const funcs::AxisShape shape(x.dims(), axis.to<int>(), flatten);
  if (out->dtype() == DataType::INT32) {
    primitive::ArgReduce<T, int32_t, primitive::MaxOp>(dev_ctx, x, shape, out);
  } else {
    primitive::ArgReduce<T, int64_t, primitive::MaxOp>(dev_ctx, x, shape, out);
  }
}

}  // namespace phi
