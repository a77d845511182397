// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cast_kernel.h"
#include "kernels/funcs/reduce_axes.h"
#include "kernels/mean_grad_kernel.h"
#include "kernels/sum_grad_kernel.h"
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

template <typename T>
struct DivideBy {
  static constexpr bool kSimd = true;
  primitive::ComputeType<T> divisor;
  template <typename V>
  HOSTDEVICE V operator()(V grad) const {
    return grad / V(divisor);
  }
};

template <typename T>
struct Unchanged {
  static constexpr bool kSimd = true;
  template <typename V>
  HOSTDEVICE V operator()(V grad) const {
    return grad;
  }
};

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

template <typename T, typename Context>
void SumGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& out_grad,
                   const IntArray& axis,
                   bool,
                   bool reduce_all,
                   DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  SpreadGrad<T>(dev_ctx, x, out_grad, axes, Unchanged<T>(), x_grad);
}

template <typename T, typename Context>
void MeanGradKernel(const Context& dev_ctx,
                    const DenseTensor& x,
                    const DenseTensor& out_grad,
                    const IntArray& axis,
                    bool,
                    bool reduce_all,
                    DenseTensor* x_grad) {
  const primitive::AxisSet axes = funcs::ReduceAxes(axis, x.dims().size(), reduce_all);
  const int64_t results = out_grad.numel();
  const int64_t count = results == 0 ? 0 : x.numel() / results;
  using Real = typename dtype::RealTypeTrait<primitive::ComputeType<T>>::Type;
  const DivideBy<T> divide{primitive::ComputeType<T>(static_cast<Real>(count))};
  SpreadGrad<T>(dev_ctx, x, out_grad, axes, divide, x_grad);
}

}  // namespace phi
