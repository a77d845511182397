// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/split_with_num_kernel.h"

namespace phi {

// Parts of x along `axis`, of the sizes `sections`; out has their shapes.
template <typename T, typename Context>
void SplitKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& sections,
                 const Scalar& axis,
                 std::vector<DenseTensor*> out) {
  SplitWithNumKernel<T, Context>(dev_ctx, x, static_cast<int>(out.size()), axis, out);
}

}  // namespace phi
