// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/creation/shape.h"

namespace phi {

template <typename T, typename Context>
void Shape64Kernel(const Context& dev_ctx, const DenseTensor& input, DenseTensor* out) {
  WriteSizes<int64_t>(dev_ctx, input.dims(), out);
}

}  // namespace phi
