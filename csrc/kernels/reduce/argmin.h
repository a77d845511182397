// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/arg_reduce.h"

namespace phi {

// The first index of the minimum, int32 or int64 as `out` says.
template <typename T, typename Context>
void ArgminKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& axis, bool, bool flatten, DataType, DenseTensor* out) {
  const primitive::AxisShape shape(x.dims(), axis.to<int>(), flatten);
  const DataType dtype = out->dtype() == DataType::INT32 ? DataType::INT32 : DataType::INT64;
  primitive::ArgReduce(dev_ctx, primitive::ArgReduceOp::kMin, x, shape, dtype, out);
}

}  // namespace phi
