// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/loop/copy_run.h"

namespace phi {

template <typename T, typename Context>
void TrilKernel(const Context& dev_ctx, const DenseTensor& x, int diagonal, DenseTensor* out) {
  const int64_t rows = x.dims()[x.dims().size() - 2];
  const int64_t columns = x.dims()[x.dims().size() - 1];
  const T* data = x.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) return;
  const int64_t kept = static_cast<int64_t>(diagonal) + 1;  // of row 0
  primitive::ForEachRun(dev_ctx, x.numel() / columns, columns, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const int64_t wanted = row % rows + kept;
    const int64_t edge = wanted < begin ? begin : wanted < end ? wanted : end;
    T* to = result + row * columns;
    primitive::CopyRun(data + row * columns + begin, to + begin, edge - begin);
    primitive::ZeroRun(to + edge, end - edge);
  });
}

template <typename T, typename Context>
void TrilGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, int diagonal, DenseTensor* x_grad) {
  TrilKernel<T, Context>(dev_ctx, out_grad, diagonal, x_grad);
}

}  // namespace phi
