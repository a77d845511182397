// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/argmax_kernel.h"
#include "primitive/arg_reduce.h"

namespace phi {

template <typename T, typename Context>
void ArgmaxKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& axis, bool, bool flatten, DataType, DenseTensor* out) {
  const funcs::AxisShape shape(x.dims(), axis.to<int>(), flatten);
  const DataType dtype = out->dtype() == DataType::INT32 ? DataType::INT32 : DataType::INT64;
  primitive::ArgReduce(dev_ctx, primitive::ArgReduceOp::kMax, x, shape, dtype, out);
}

}  // namespace phi
