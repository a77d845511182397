// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/impl/stack_grad_kernel_impl.h"
#include "kernels/unbind_kernel.h"

namespace phi {

template <typename T, typename Context>
void UnbindKernel(const Context& dev_ctx, const DenseTensor& input, int axis, std::vector<DenseTensor*> out) {
  StackGradKernel<T, Context>(dev_ctx, input, axis, out);
}

}  // namespace phi
