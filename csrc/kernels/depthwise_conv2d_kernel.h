// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv2d_kernel.h"

namespace phi {

// Conv2dKernel, which is what runs, with its arguments in another order.
template <typename T, typename Context>
void DepthwiseConv2dKernel(const Context& dev_ctx,
                           const DenseTensor& input,
                           const DenseTensor& filter,
                           const std::vector<int>& strides,
                           const std::vector<int>& paddings,
                           const std::string& padding_algorithm,
                           int groups,
                           const std::vector<int>& dilations,
                           const std::string& data_format,
                           DenseTensor* out) {
  Conv2dKernel<T, Context>(
      dev_ctx, input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format, out);
}

}  // namespace phi
