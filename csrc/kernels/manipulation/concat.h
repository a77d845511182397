// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/concat_and_split.h"
#include "primitive/loop/axis_shape.h"

namespace phi {

// The tensors of x one after the other along `axis`.
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
  const int64_t rows = primitive::AxisShape(out->dims(), dim).outer;
  funcs::CopyRows(dev_ctx, rows, parts, reinterpret_cast<char*>(whole), funcs::CopyDirection::kPartsToWhole);
}

// The parts of out_grad that belong to each tensor of x, of which only the shapes are read. A null gradient is skipped.
template <typename T, typename Context>
void ConcatGradKernel(const Context& dev_ctx,
                      const std::vector<const DenseTensor*>& x,
                      const DenseTensor& out_grad,
                      const Scalar& axis,
                      std::vector<DenseTensor*> x_grad) {
  const int64_t given = axis.to<int64_t>();
  const int dim = static_cast<int>(given < 0 ? given + out_grad.dims().size() : given);
  funcs::RowParts parts(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const T* data = x_grad[i] ? dev_ctx.template Alloc<T>(x_grad[i]) : nullptr;
    parts.Add(funcs::MakeRowPart(*x[i], data, dim));
  }
  char* whole = reinterpret_cast<char*>(const_cast<T*>(out_grad.data<T>()));
  funcs::CopyRows(
      dev_ctx, primitive::AxisShape(out_grad.dims(), dim).outer, parts, whole, funcs::CopyDirection::kWholeToParts);
}

}  // namespace phi
