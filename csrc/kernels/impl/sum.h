// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cast_kernel.h"
#include "kernels/funcs/reduce_axes.h"
#include "kernels/impl/reduce_grad.h"
#include "kernels/sum_grad_kernel.h"
#include "kernels/sum_kernel.h"
#include "primitive/reduce.h"

namespace phi {

// What sums of a data type are computed in.
inline DataType SumDataType(DataType dtype) {
  if (dtype == DataType::BOOL || IsIntegralType(dtype)) return DataType::INT64;
  return dtype == DataType::FLOAT16 || dtype == DataType::BFLOAT16 ? DataType::FLOAT32 : dtype;
}

// The sum of x converted to `dtype` first.
template <typename T, typename Context>
void SumConverted(
    const Context& dev_ctx, const DenseTensor& x, DataType dtype, const IntArray& axis, DenseTensor* out) {
  DenseTensor converted;
  converted.Resize(x.dims());
  CastKernel<T, Context>(dev_ctx, x, dtype, &converted);
  switch (dtype) {
#define PHI_SUM_CASE(Cpp)              \
  case CppTypeToDataType<Cpp>::Type(): \
    return SumKernel<Cpp, Context>(dev_ctx, converted, axis, out->dtype(), false, out);
    PHI_SUM_CASE(bool)
    PHI_SUM_CASE(int64_t)
    PHI_SUM_CASE(float)
    PHI_SUM_CASE(double)
    PHI_SUM_CASE(dtype::complex<float>)
    PHI_SUM_CASE(dtype::complex<double>)
#undef PHI_SUM_CASE
    default:
      PADDLE_THROW(errors::Unimplemented("sum: argument 'dtype' cannot be %s", DataTypeName(dtype)));
  }
}

template <typename T, typename Context>
void SumKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& axis, DataType, bool, DenseTensor* out) {
  using Sum = primitive::SumType<T>;
  constexpr DataType kSum = CppTypeToDataType<Sum>::Type();
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size());
  const DataType wanted = out->dtype();
  if (wanted == kSum) return primitive::Reduce<T, Sum, primitive::SumOp>(dev_ctx, x, axes, out);
  if constexpr (std::is_same_v<Sum, float>) {
    if (wanted == x.dtype()) return primitive::Reduce<T, T, primitive::SumOp>(dev_ctx, x, axes, out);
  }
  if (wanted == DataType::BOOL && x.dtype() != DataType::BOOL) {
    SumConverted<T>(dev_ctx, x, DataType::BOOL, axis, out);
  } else if (SumDataType(wanted) != kSum) {
    SumConverted<T>(dev_ctx, x, SumDataType(wanted), axis, out);
  } else {
    DenseTensor sums;
    sums.Resize(out->dims());
    primitive::Reduce<T, Sum, primitive::SumOp>(dev_ctx, x, axes, &sums);
    CastKernel<Sum, Context>(dev_ctx, sums, wanted, out);
  }
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
