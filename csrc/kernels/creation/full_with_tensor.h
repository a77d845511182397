// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/cast.h"

namespace phi {

template <typename T, typename Context>
void FullWithTensorKernel(
    const Context& dev_ctx, const DenseTensor& value, const IntArray&, DataType dtype, DenseTensor* out) {
  DenseTensor number = value;  // of any shape with one element
  number.Resize({});
  dev_ctx.Alloc(out, out->dtype());
  primitive::CastTo(dev_ctx, number, out->dtype(), out);
}

}  // namespace phi
