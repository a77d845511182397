// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// The tensors of x one after the other along `axis`.
template <typename T, typename Context>
void ConcatKernel(const Context& dev_ctx,
                  const std::vector<const DenseTensor*>& x,
                  const Scalar& axis,
                  DenseTensor* out);

}  // namespace phi
