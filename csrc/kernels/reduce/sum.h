// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/reduce_axes.h"
#include "kernels/reduce/reduce_grad.h"
#include "primitive/reduction.h"

namespace phi {

// What sums of a data type are computed in.
inline DataType SumDataType(DataType dtype) {
  if (dtype == DataType::BOOL || IsIntegralType(dtype)) return DataType::INT64;
  return dtype == DataType::FLOAT16 || dtype == DataType::BFLOAT16 ? DataType::FLOAT32 : dtype;
}

// The result has the dtype that InferMeta gave it. Where no sum of x has it, x is converted first, to what sums of that
// dtype are computed in; the sum of bool counts, and is true unless it is 0.
template <typename T, typename Context>
void SumKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DataType, bool, DenseTensor* out) {
  using primitive::ReduceOp;
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  const DataType wanted = out->dtype();
  const Backend backend = PlaceToBackend(dev_ctx.GetPlace());
  if (FindPrimitive<primitive::Reduction>(backend, ReduceOp::kSum, x.dtype(), wanted) != nullptr) {
    return primitive::Reduce(dev_ctx, ReduceOp::kSum, x, axes, wanted, out);
  }
  const DataType summed = wanted == DataType::BOOL ? wanted : SumDataType(wanted);
  DenseTensor converted;
  const bool fits = x.dtype() == summed || (summed != DataType::BOOL && SumDataType(x.dtype()) == summed);
  if (!fits) {
    converted.Resize(x.dims());
    primitive::CastTo(dev_ctx, x, summed, &converted);
  }
  DenseTensor sums;
  sums.Resize(out->dims());
  primitive::Reduce(dev_ctx, ReduceOp::kSum, fits ? x : converted, axes, SumDataType(summed), &sums);
  primitive::CastTo(dev_ctx, sums, wanted, out);
}

template <typename T, typename Context>
void SumGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool,
                   bool reduce_all,
                   DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  SpreadGrad<T>(dev_ctx, x, out_grad, axes, primitive::IdentityFunctor(), x_grad);
}

}  // namespace phi
