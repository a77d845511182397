// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/concat_and_split.h"
#include "primitive/loop/axis_shape.h"

namespace phi {

// The tensors of x side by side along a new dimension at `axis`.
template <typename T, typename Context>
void StackKernel(const Context& dev_ctx, const std::vector<const DenseTensor*>& x, int axis, DenseTensor* out) {
  T* whole = dev_ctx.template Alloc<T>(out);
  const primitive::AxisShape shape(out->dims(), axis);
  const int64_t bytes = shape.inner * static_cast<int64_t>(sizeof(T));
  funcs::RowParts parts(x.size());
  for (const DenseTensor* part : x) parts.Add({static_cast<char*>(const_cast<void*>(part->data())), bytes});
  funcs::CopyRows(dev_ctx, shape.outer, parts, reinterpret_cast<char*>(whole), funcs::CopyDirection::kPartsToWhole);
}

// The slices of out_grad along `axis`; a null x_grad is left out.
template <typename T, typename Context>
void StackGradKernel(const Context& dev_ctx, const DenseTensor& out_grad, int axis, std::vector<DenseTensor*> x_grad) {
  const primitive::AxisShape shape(out_grad.dims(), axis);
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
