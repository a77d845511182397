// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// The cross-correlation of images with filters [out_channels, in_channels / groups, height, width].
template <typename T, typename Context>
void Conv2dKernel(const Context& dev_ctx,
                  const DenseTensor& input,
                  const DenseTensor& filter,
                  const std::vector<int>& strides,
                  const std::vector<int>& paddings,
                  const std::string& padding_algorithm,
                  const std::vector<int>& dilations,
                  int groups,
                  const std::string& data_format,
                  DenseTensor* out);

}  // namespace phi
