// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/scan.h"

namespace phi {

template <typename T, typename Context>
void CumsumKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const Scalar& axis,
                  bool flatten,
                  bool exclusive,
                  bool reverse,
                  DenseTensor* out) {
  const primitive::AxisShape shape(x.dims(), axis.to<int>(), flatten);
  primitive::CumulativeSum(dev_ctx, x, shape, {exclusive, reverse}, out);
}

// Each element counts in the sums from it on: a cumulative sum of the gradients in the other direction.
template <typename T, typename Context>
void CumsumGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& out_grad,
                      const Scalar& axis,
                      bool flatten,
                      bool exclusive,
                      bool reverse,
                      DenseTensor* x_grad) {
  const primitive::AxisShape shape(x.dims(), axis.to<int>(), flatten);
  primitive::CumulativeSum(dev_ctx, out_grad, shape, {exclusive, !reverse}, x_grad);
}

}  // namespace phi
