// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/fill.h"

namespace phi {

template <typename T, typename Context>
void FullLikeKernel(const Context& dev_ctx, const DenseTensor&, const Scalar& value, DataType, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  primitive::FillWith(dev_ctx, value, out);
}

}  // namespace phi
