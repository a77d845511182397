// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

template <typename T, typename Context>
void DropoutGradKernel(const Context& dev_ctx,
                       const DenseTensor& mask,
                       const DenseTensor& out_grad,
                       const Scalar& p,
                       bool is_test,
                       const std::string& mode,
                       DenseTensor* x_grad);

}  // namespace phi
