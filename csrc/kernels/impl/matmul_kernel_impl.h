// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/matmul_kernel.h"
#include "primitive/matmul.h"

namespace phi {

template <typename T, typename Context>
void MatmulKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const DenseTensor& y,
                  bool transpose_x,
                  bool transpose_y,
                  DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  primitive::MatMul(dev_ctx, x, transpose_x, y, transpose_y, out);
}

}  // namespace phi
