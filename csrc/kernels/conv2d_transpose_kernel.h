// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// The transposed convolution of images with filters [in_channels, out_channels / groups, height, width]: what conv2d
// would have to get to give x, as its gradient says. `out` says how large it is.
template <typename T, typename Context>
void Conv2dTransposeKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& filter,
                           const std::vector<int>& strides,
                           const std::vector<int>& paddings,
                           const std::vector<int>& output_padding,
                           const IntArray& output_size,
                           const std::string& padding_algorithm,
                           int groups,
                           const std::vector<int>& dilations,
                           const std::string& data_format,
                           DenseTensor* out);

}  // namespace phi
