// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/elementwise_functor.h"
#include "kernels/multiply_kernel.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void MultiplyKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  primitive::ElementwiseBinary<T>(dev_ctx, x, y, out, funcs::MultiplyFunctor());
}

}  // namespace phi
