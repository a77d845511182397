// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_utils.h"
#include "kernels/topk_grad_kernel.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/topk.h"

namespace phi {

// The last of the k smallest elements, or of as many of the largest, whichever are fewer.
template <typename T, typename Context>
void KthvalueKernel(
    const Context& dev_ctx, const DenseTensor& x, int64_t k, int axis, bool, DenseTensor* out, DenseTensor* indices) {
  const primitive::AxisShape shape(x.dims(), axis);
  T* value = dev_ctx.template Alloc<T>(out);
  int64_t* where = dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  const bool largest = shape.dim - k + 1 < k;
  const int64_t count = largest ? shape.dim - k + 1 : k, inner = shape.inner;
  const DDim dims = {shape.outer, count, inner};
  DenseTensor best = primitive::EmptyTensor<T>(dev_ctx, dims);
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, dims);
  GetPrimitive<primitive::TopK>(dev_ctx, x.dtype())(dev_ctx, x, shape, count, largest, true, &best, &places);
  const T* values = best.data<T>();
  const int64_t* indexed = places.data<int64_t>();
  primitive::ForEach(dev_ctx, out->numel(), [=] HOSTDEVICE(int64_t i) {
    const int64_t from = (i / inner * count + count - 1) * inner + i % inner;
    value[i] = values[from];
    where[i] = indexed[from];
  });
}

template <typename T, typename Context>
void KthvalueGradKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& indices,
                        const DenseTensor& out_grad,
                        int64_t k,
                        int axis,
                        bool,
                        DenseTensor* x_grad) {
  DDim kept = x.dims();
  if (kept.size() > 0) kept[funcs::CanonicalAxis(axis, kept.size())] = 1;
  DenseTensor places = indices, grad = out_grad;
  places.Resize(kept);
  grad.Resize(kept);
  TopkGradKernel<T, Context>(dev_ctx, x, places, grad, Scalar(1), axis, false, true, x_grad);
}

}  // namespace phi
