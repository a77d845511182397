// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/gather_kernel.h"
#include "primitive/gather.h"

namespace phi {

template <typename T, typename Context>
void GatherKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& index, const Scalar& axis, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  GetPrimitive<primitive::Gather>(dev_ctx)(
      dev_ctx, primitive::TableAlong(x, static_cast<int>(axis.to<int64_t>())), index, x, out);
}

}  // namespace phi
