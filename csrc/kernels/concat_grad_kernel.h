// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/scalar.h"
#include "core/dense_tensor.h"

namespace phi {

// The parts of out_grad that belong to each tensor of x, of which only the shapes are read. A null gradient is skipped.
template <typename T, typename Context>
void ConcatGradKernel(const Context& dev_ctx,
                      const std::vector<const DenseTensor*>& x,
                      const DenseTensor& out_grad,
                      const Scalar& axis,
                      std::vector<DenseTensor*> x_grad);

}  // namespace phi
