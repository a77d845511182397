// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"

namespace phi {

template <typename T, typename Context>
void FullLikeKernel(const Context& dev_ctx, const DenseTensor&, const Scalar& value, DataType, DenseTensor* out) {
  primitive::Fill(dev_ctx, dev_ctx.template Alloc<T>(out), out->numel(), value.to<T>());
}

}  // namespace phi
