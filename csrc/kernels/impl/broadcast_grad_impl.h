// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "primitive/elementwise.h"
#include "primitive/reduce.h"

namespace phi::funcs {

template <typename T, typename OutT, typename Context>
void SumBroadcast(const Context& dev_ctx, const DenseTensor& grad, const DDim& aligned, DenseTensor* out) {
  primitive::AxisSet axes;
  for (int i = 0; i < aligned.size(); ++i) {
    if (aligned[i] != grad.dims()[i]) axes.Add(i);
  }
  DenseTensor contiguous;
  if (!grad.is_contiguous()) {
    contiguous.Resize(grad.dims());
    primitive::Copy(dev_ctx, grad, &contiguous);
  }
  const DenseTensor& x = grad.is_contiguous() ? grad : contiguous;
  if (out->is_contiguous()) return primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, x, axes, out);
  DenseTensor sum;
  sum.Resize(out->dims());
  primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, x, axes, &sum);
  primitive::Copy(dev_ctx, sum, out);
}

// Instantiates SumBroadcast for all types of gradients.
#define PHI_INSTANTIATE_SUM_BROADCAST(Context)                 \
  PHI_SUM_BROADCAST(float, float, Context)                     \
  PHI_SUM_BROADCAST(float, dtype::float16, Context)            \
  PHI_SUM_BROADCAST(float, dtype::bfloat16, Context)           \
  PHI_SUM_BROADCAST(dtype::float16, dtype::float16, Context)   \
  PHI_SUM_BROADCAST(dtype::bfloat16, dtype::bfloat16, Context) \
  PHI_SUM_BROADCAST(double, double, Context)                   \
  PHI_SUM_BROADCAST(int32_t, int32_t, Context)                 \
  PHI_SUM_BROADCAST(int64_t, int64_t, Context)                 \
  PHI_SUM_BROADCAST(complex64, complex64, Context)             \
  PHI_SUM_BROADCAST(complex128, complex128, Context)
#define PHI_SUM_BROADCAST(T, OutT, Context) \
  template void SumBroadcast<T, OutT, Context>(const Context&, const DenseTensor&, const DDim&, DenseTensor*);

}  // namespace phi::funcs
