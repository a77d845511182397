// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// A null gradient is not computed.
template <typename T, typename Context>
void FCGradKernel(const Context& dev_ctx,
                  const DenseTensor& input,
                  const DenseTensor& w,
                  const paddle::optional<DenseTensor>& bias,
                  const DenseTensor& out,
                  const DenseTensor& out_grad,
                  int in_num_col_dims,
                  const std::string& activation_type,
                  bool padding_weights,
                  DenseTensor* input_grad,
                  DenseTensor* w_grad,
                  DenseTensor* bias_grad);

}  // namespace phi
