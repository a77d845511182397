// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// out = activation(input @ w + bias), of `input` as a matrix: its first in_num_col_dims dimensions are the rows. With
// padding_weights the last 4 rows and columns of w are padding.
template <typename T, typename Context>
void FCKernel(const Context& dev_ctx,
              const DenseTensor& input,
              const DenseTensor& w,
              const paddle::optional<DenseTensor>& bias,
              int in_num_col_dims,
              const std::string& activation_type,
              bool padding_weights,
              DenseTensor* out);

}  // namespace phi
