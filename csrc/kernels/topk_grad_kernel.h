// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// out_grad at `indices`, zero elsewhere. Of x only the shape is read.
template <typename T, typename Context>
void TopkGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& indices,
                    const DenseTensor& out_grad,
                    const Scalar& k,
                    int axis,
                    bool largest,
                    bool sorted,
                    DenseTensor* x_grad);

}  // namespace phi
