// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/concat_grad_kernel.h"
#include "kernels/funcs/axis_shape.h"
#include "kernels/funcs/concat_and_split.h"

namespace phi {

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
      dev_ctx, funcs::AxisShape(out_grad.dims(), dim).outer, parts, whole, funcs::CopyDirection::kWholeToParts);
}

}  // namespace phi
