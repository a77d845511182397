// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/concat_and_split.h"
#include "primitive/loop/axis_shape.h"

namespace phi {

// `num` equal parts.
template <typename T, typename Context>
void SplitWithNumKernel(
    const Context& dev_ctx, const DenseTensor& x, int num, const Scalar& axis, std::vector<DenseTensor*> out) {
  const int64_t given = axis.to<int64_t>();
  const int dim = static_cast<int>(given < 0 ? given + x.dims().size() : given);
  funcs::RowParts parts(out.size());
  for (DenseTensor* part : out) parts.Add(funcs::MakeRowPart(*part, dev_ctx.template Alloc<T>(part), dim));
  char* whole = reinterpret_cast<char*>(const_cast<T*>(x.data<T>()));
  funcs::CopyRows(
      dev_ctx, primitive::AxisShape(x.dims(), dim).outer, parts, whole, funcs::CopyDirection::kWholeToParts);
}

}  // namespace phi
