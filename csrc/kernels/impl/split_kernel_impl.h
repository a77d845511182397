// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/concat_and_split.h"
#include "kernels/split_kernel.h"

namespace phi {

template <typename T, typename Context>
void SplitKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& sections,
                 const Scalar& axis,
                 std::vector<DenseTensor*> out) {
  SplitWithNumKernel<T, Context>(dev_ctx, x, static_cast<int>(out.size()), axis, out);
}

template <typename T, typename Context>
void SplitWithNumKernel(
    const Context& dev_ctx, const DenseTensor& x, int num, const Scalar& axis, std::vector<DenseTensor*> out) {
  const int64_t given = axis.to<int64_t>();
  const int dim = static_cast<int>(given < 0 ? given + x.dims().size() : given);
  funcs::RowParts parts(out.size());
  for (DenseTensor* part : out) parts.Add(funcs::MakeRowPart(*part, dev_ctx.template Alloc<T>(part), dim));
  char* whole = reinterpret_cast<char*>(const_cast<T*>(x.data<T>()));
  funcs::CopyRows(dev_ctx, funcs::AxisShape(x.dims(), dim).outer, parts, whole, funcs::CopyDirection::kWholeToParts);
}

}  // namespace phi
