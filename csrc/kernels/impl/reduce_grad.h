// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cast_kernel.h"
#include "kernels/funcs/reduce_axes.h"
#include "primitive/elementwise.h"

// The gradients of sum and mean: that of the result, spread over the elements.
namespace phi {

// x as a tensor of the type T, which it has unless the forward op was told another dtype.
template <typename T, typename Context>
DenseTensor ConvertGrad(const Context& dev_ctx, const DenseTensor& x) {
  constexpr DataType wanted = CppTypeToDataType<T>::Type();
  if (x.dtype() == wanted) return x;
  DenseTensor out;
  out.Resize(x.dims());
  switch (x.dtype()) {
#define PHI_GRAD_CASE(Cpp)                              \
  case CppTypeToDataType<Cpp>::Type():                  \
    CastKernel<Cpp, Context>(dev_ctx, x, wanted, &out); \
    return out;
    PHI_GRAD_CASE(float)
    PHI_GRAD_CASE(double)
    PHI_GRAD_CASE(dtype::float16)
    PHI_GRAD_CASE(dtype::bfloat16)
    PHI_GRAD_CASE(dtype::complex<float>)
    PHI_GRAD_CASE(dtype::complex<double>)
#undef PHI_GRAD_CASE
    default:
      PADDLE_THROW(errors::InvalidType("argument 'out_grad': expected a floating or complex data type, got %s",
                                       DataTypeName(x.dtype())));
  }
}

// x_grad = functor(out_grad), broadcast along the reduced axes
template <typename T, typename Context, typename Functor>
void SpreadGrad(const Context& dev_ctx,
                const DenseTensor& x,
                const DenseTensor& out_grad,
                primitive::AxisSet axes,
                const Functor& functor,
                DenseTensor* x_grad) {
  DenseTensor grad = ConvertGrad<T>(dev_ctx, out_grad);
  grad.Resize(funcs::KeptDims(x.dims(), axes));
  primitive::ElementwiseUnary<T>(dev_ctx, grad, x_grad, functor);
}

}  // namespace phi
