// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/tensor_view.h"
#include "primitive/elementwise.h"
#include "primitive/reduce.h"

namespace phi::funcs {

template <typename T, typename OutT, typename Context>
void SumBroadcast(const Context& dev_ctx, const DenseTensor& grad, const DDim& aligned, DenseTensor* out) {
  primitive::AxisSet axes;
  for (int i = 0; i < aligned.size(); ++i) {
    if (aligned[i] != grad.dims()[i]) axes.Add(i);
  }
  if (!out->is_contiguous()) {
    DenseTensor sum;
    sum.Resize(out->dims());
    SumBroadcast<T, OutT>(dev_ctx, grad, aligned, &sum);
    return primitive::Copy(dev_ctx, sum, out);
  }
  if (axes.empty()) {  // only ones were added
    dev_ctx.template Alloc<OutT>(out);
    DenseTensor view = ViewOf(*out, aligned);
    return primitive::ElementwiseUnary<T, OutT>(dev_ctx, grad, &view, primitive::IdentityFunctor());
  }
  if (grad.is_contiguous()) return primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, grad, axes, out);
  DenseTensor contiguous;
  contiguous.Resize(grad.dims());
  primitive::Copy(dev_ctx, grad, &contiguous);
  primitive::Reduce<T, OutT, primitive::SumOp>(dev_ctx, contiguous, axes, out);
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
