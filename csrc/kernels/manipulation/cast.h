// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/cast.h"

namespace phi {

template <typename T, typename Context>
void CastKernel(const Context& dev_ctx, const DenseTensor& x, DataType dtype, DenseTensor* out) {
  primitive::CastTo(dev_ctx, x, dtype, out);
}

}  // namespace phi
