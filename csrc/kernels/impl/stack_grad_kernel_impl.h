// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/concat_and_split.h"
#include "kernels/stack_grad_kernel.h"

namespace phi {

template <typename T, typename Context>
void StackGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, int axis, std::vector<DenseTensor*> x_grad) {
  const funcs::AxisShape shape(out_grad.dims(), axis);
  const int64_t bytes = shape.inner * static_cast<int64_t>(sizeof(T));
  funcs::RowParts parts(x_grad.size());
  for (DenseTensor* part : x_grad) {
    char* data = part ? reinterpret_cast<char*>(dev_ctx.template Alloc<T>(part)) : nullptr;
    parts.Add({data, bytes});
  }
  char* whole = reinterpret_cast<char*>(const_cast<T*>(out_grad.data<T>()));
  funcs::CopyRows(dev_ctx, shape.outer, parts, whole, funcs::CopyDirection::kWholeToParts);
}

}  // namespace phi
