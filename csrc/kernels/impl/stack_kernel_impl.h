// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/concat_and_split.h"
#include "kernels/stack_kernel.h"

namespace phi {

template <typename T, typename Context>
void StackKernel(const Context& dev_ctx, const std::vector<const DenseTensor*>& x, int axis, DenseTensor* out) {
  T* whole = dev_ctx.template Alloc<T>(out);
  const funcs::AxisShape shape(out->dims(), axis);
  const int64_t bytes = shape.inner * static_cast<int64_t>(sizeof(T));
  funcs::RowParts parts(x.size());
  for (const DenseTensor* part : x) parts.Add({static_cast<char*>(const_cast<void*>(part->data())), bytes});
  funcs::CopyRows(dev_ctx, shape.outer, parts, reinterpret_cast<char*>(whole), funcs::CopyDirection::kPartsToWhole);
}

}  // namespace phi
