// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/transpose_grad_kernel.h"
#include "primitive/permute.h"

namespace phi {

template <typename T, typename Context>
void TransposeGradKernel(const Context& dev_ctx,
                         const DenseTensor& out_grad,
                         const std::vector<int>& perm,
                         DenseTensor* x_grad) {
  const int rank = out_grad.dims().size();
  std::vector<int> inverse(rank);
  for (int i = 0; i < rank; ++i) inverse[perm[i] < 0 ? perm[i] + rank : perm[i]] = i;
  dev_ctx.template Alloc<T>(x_grad);
  primitive::PermuteTo(dev_ctx, out_grad, inverse, x_grad);
}

}  // namespace phi
