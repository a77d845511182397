// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/gelu_kernel.h"
#include "kernels/impl/gelu.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void GeluKernel(const Context& dev_ctx, const DenseTensor& x, bool approximate, DenseTensor* out) {
  if (approximate) {
    primitive::ElementwiseUnary<T>(dev_ctx, x, out, GeluTanhFunctor());
  } else {
    primitive::ElementwiseUnary<T>(dev_ctx, x, out, GeluFunctor());
  }
}

}  // namespace phi
