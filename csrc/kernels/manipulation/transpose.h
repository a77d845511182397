// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/permute.h"

namespace phi {

// Dimension i of out is dimension perm[i] of x.
template <typename T, typename Context>
void TransposeKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out) {
  const int rank = x.dims().size();
  std::vector<int> axes = perm;
  for (int& axis : axes) axis += axis < 0 ? rank : 0;
  dev_ctx.template Alloc<T>(out);
  primitive::PermuteTo(dev_ctx, x, axes, out);
}

// `perm` is that of the forward op.
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
