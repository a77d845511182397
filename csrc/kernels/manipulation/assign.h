// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void AssignKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
}

}  // namespace phi
