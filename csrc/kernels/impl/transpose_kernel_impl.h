// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/transpose_kernel.h"
#include "primitive/permute.h"

namespace phi {

template <typename T, typename Context>
void TransposeKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out) {
  const int rank = x.dims().size();
  std::vector<int> axes = perm;
  for (int& axis : axes) axis += axis < 0 ? rank : 0;
  dev_ctx.template Alloc<T>(out);
  primitive::PermuteTo(dev_ctx, x, axes, out);
}

}  // namespace phi
