// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/where_kernel.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void WhereKernel(const Context& dev_ctx,
                 const DenseTensor& condition,
                 const DenseTensor& x,
                 const DenseTensor& y,
                 DenseTensor* out) {
  primitive::Select(dev_ctx, condition, x, y, out);
}

}  // namespace phi
