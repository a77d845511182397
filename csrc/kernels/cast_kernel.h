// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// T is the type of x.
template <typename T, typename Context>
void CastKernel(const Context& dev_ctx, const DenseTensor& x, DataType dtype, DenseTensor* out);

}  // namespace phi
