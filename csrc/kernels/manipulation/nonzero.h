// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/true_elements.h"
#include "primitive/loop/row_offsets.h"

namespace phi {

// The coordinates of the elements that are not zero.
template <typename T, typename Context>
void NonzeroKernel(const Context& dev_ctx, const DenseTensor& condition, DenseTensor* out) {
  const T* x = condition.data<T>();
  const int64_t n = condition.numel();
  const primitive::DeviceDims dims(condition.dims());
  const int rank = condition.dims().size();
  const auto found = funcs::TrueElements::Of(dev_ctx, x, n);
  out->Resize({found.count(), rank});
  int64_t* result = dev_ctx.template Alloc<int64_t>(out);
  found.Visit(dev_ctx, x, n, [=] HOSTDEVICE(int64_t i, int64_t number, bool is_true) {
    if (!is_true) return;
    int64_t rest = i;
    for (int d = rank - 1; d >= 0; --d) {
      const int64_t size = dims[d];
      const int64_t outer = d == 0 ? 0 : rest / size;
      result[number * rank + d] = rest - outer * size;
      rest = outer;
    }
  });
}

}  // namespace phi
