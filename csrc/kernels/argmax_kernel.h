// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// The first index of the maximum, int32 or int64 as `out` says.
template <typename T, typename Context>
void ArgmaxKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const Scalar& axis,
                  bool keepdims,
                  bool flatten,
                  DataType dtype,
                  DenseTensor* out);

}  // namespace phi
