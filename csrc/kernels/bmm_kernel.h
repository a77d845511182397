// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// out[i] = x[i] @ y[i], of any strides.
template <typename T, typename Context>
void BmmKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out);

}  // namespace phi
