// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T, typename Context>
void ExpandAsKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const paddle::optional<DenseTensor>&,
                    const std::vector<int64_t>&,
                    DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
}

// out_grad, summed over the dimensions in which x was broadcast. Of x only the shape is read.
template <typename T, typename Context>
void ExpandAsGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& out_grad,
                        const std::vector<int64_t>&,
                        DenseTensor* x_grad) {
  funcs::SumToInput(dev_ctx, out_grad, -1, x, x_grad);
}

}  // namespace phi
