// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/add_kernel.h"
#include "kernels/funcs/elementwise_functor.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void AddKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, DenseTensor* out) {
  primitive::ElementwiseBinary<T>(dev_ctx, x, y, out, funcs::AddFunctor());
}

}  // namespace phi
