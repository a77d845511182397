// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/fill.h"

namespace phi {

template <typename T, typename Context>
void NumelKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* size) {
  dev_ctx.template Alloc<int64_t>(size);
  primitive::FillWith(dev_ctx, Scalar(x.numel()), size);
}

}  // namespace phi
