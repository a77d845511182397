// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/scan_lines.h"
#include "kernels/kthvalue_grad_kernel.h"
#include "primitive/convert.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/sort.h"

namespace phi {

// The element that is there most often, of several the least one, and the last of its places.
template <typename T, typename Context>
void ModeKernel(const Context& dev_ctx, const DenseTensor& x, int axis, bool, DenseTensor* out, DenseTensor* indices) {
  const primitive::AxisShape shape(x.dims(), axis);
  T* value = dev_ctx.template Alloc<T>(out);
  int64_t* where = dev_ctx.template Alloc<int64_t>(indices);
  if (out->numel() == 0) return;
  DenseTensor sorted = primitive::EmptyTensor<T>(dev_ctx, x.dims());
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, x.dims());
  GetPrimitive<primitive::Sort>(dev_ctx, x.dtype())(dev_ctx, x, shape, false, &sorted, &places);
  const T* values = sorted.data<T>();
  const int64_t* indexed = places.data<int64_t>();
  const int64_t inner = shape.inner, size = shape.dim;
  funcs::ForEachLine(dev_ctx, shape, false, [=] HOSTDEVICE(funcs::ScanLine line) {
    int64_t most = 0, best = 0, count = 0;
    for (int64_t i = 0; i < line.size; ++i) {
      const bool again = i > 0 && primitive::ToCompute(values[line[i]]) == primitive::ToCompute(values[line[i - 1]]);
      count = again ? count + 1 : 1;
      if (count > most) {
        most = count;
        best = i;
      }
    }
    const int64_t to = line.first / (size * inner) * inner + line.first % inner;
    value[to] = values[line[best]];
    where[to] = indexed[line[best]];
  });
}

template <typename T, typename Context>
void ModeGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& indices,
                    const DenseTensor& out_grad,
                    int axis,
                    bool keepdim,
                    DenseTensor* x_grad) {
  KthvalueGradKernel<T, Context>(dev_ctx, x, indices, out_grad, 1, axis, keepdim, x_grad);
}

}  // namespace phi
