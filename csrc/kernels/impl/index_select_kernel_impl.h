// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/gather_kernel_impl.h"
#include "kernels/index_select_kernel.h"

namespace phi {

template <typename T, typename Context>
void IndexSelectKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, int axis, DenseTensor* out) {
  GatherKernel<T, Context>(dev_ctx, x, index, axis, out);
}

}  // namespace phi
