// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// A null gradient is not computed.
template <typename T, typename Context>
void Conv2dGradKernel(const Context& dev_ctx,
                      const DenseTensor& input,
                      const DenseTensor& filter,
                      const DenseTensor& out_grad,
                      const std::vector<int>& strides,
                      const std::vector<int>& paddings,
                      const std::string& padding_algorithm,
                      const std::vector<int>& dilations,
                      int groups,
                      const std::string& data_format,
                      DenseTensor* input_grad,
                      DenseTensor* filter_grad);

}  // namespace phi
