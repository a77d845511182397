// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/concat_kernel.h"
#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/concat_and_split.h"

namespace phi {

template <typename T, typename Context>
void ConcatKernel(const Context& dev_ctx,
                  const std::vector<const DenseTensor*>& x,
                  const Scalar& axis,
                  DenseTensor* out) {
  const int64_t given = axis.to<int64_t>();
  const int dim = static_cast<int>(given < 0 ? given + out->dims().size() : given);
  T* whole = dev_ctx.template Alloc<T>(out);
  funcs::RowParts parts(x.size());
  for (const DenseTensor* part : x) parts.Add(funcs::MakeRowPart(*part, part->data(), dim));
  const int64_t rows = funcs::AxisShape(out->dims(), dim).outer;
  funcs::CopyRows(dev_ctx, rows, parts, reinterpret_cast<char*>(whole), funcs::CopyDirection::kPartsToWhole);
}

}  // namespace phi
