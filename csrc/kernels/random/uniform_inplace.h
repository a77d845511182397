// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/uniform_kernel.h"
#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/memset.h"

namespace phi {

// `diag_num` elements, `diag_step` + 1 apart, are `diag_val`.
template <typename T, typename Context>
void UniformInplaceKernel(const Context& dev_ctx,
                          const DenseTensor&,
                          float min,
                          float max,
                          int seed,
                          int diag_num,
                          int diag_step,
                          float diag_val,
                          DenseTensor* out) {
  UniformKernel<T, Context>(dev_ctx, IntArray(), out->dtype(), Scalar(min), Scalar(max), seed, out);
  T* data = out->data<T>();
  const int64_t distance = static_cast<int64_t>(diag_step) + 1;
  primitive::ForEach(
      dev_ctx, diag_num, [=] HOSTDEVICE(int64_t i) { data[i * distance] = primitive::Convert<T>(diag_val); });
}

// The numbers do not depend on x.
template <typename T, typename Context>
void UniformInplaceGradKernel(
    const Context& dev_ctx, const DenseTensor&, float, float, int, int, int, float, DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
}

}  // namespace phi
