// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/interp_source.h"
#include "primitive/elementwise.h"
#ifdef PHI_DEVICE_CODE
#include "kernels/funcs/interp_gpu.cuh"
#else
#include "kernels/funcs/interp_cpu.h"
#endif

namespace phi {
namespace funcs {

template <typename T, typename Context>
void RunInterpolate(const Context& dev_ctx,
                    const DenseTensor& x,
                    const InterpSource& source,
                    const InterpMethod& method,
                    DenseTensor* output) {
  const int first = method.first_axis();
  const InterpSizes sizes = source.Read(x.dims(), first);
  const InterpShape shape = method.Shape(x.dims(), sizes);
  DDim dims = x.dims();
  for (int i = 0; i < dims.size() - 2; ++i) dims[first + i] = sizes.out[i];
  if (output->dims() != dims) output->Resize(dims);
  T* out = dev_ctx.template Alloc<T>(output);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, x, output);
  if (shape.OutSize() > 0) Interpolate(dev_ctx, shape, x.data<T>(), out);
}

template <typename T, typename Context>
void RunInterpolateGrad(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& output_grad,
                        const InterpSource& source,
                        const InterpMethod& method,
                        DenseTensor* x_grad) {
  const int first = method.first_axis();
  InterpSizes sizes = source.Read(x.dims(), first);
  for (int i = 0; i < x.dims().size() - 2; ++i) sizes.out[i] = output_grad.dims()[first + i];
  const InterpShape shape = method.Shape(x.dims(), sizes);
  T* grad = dev_ctx.template Alloc<T>(x_grad);
  if (shape.IsCopy()) return primitive::Copy(dev_ctx, output_grad, x_grad);
  if (shape.InSize() > 0) InterpolateGrad(dev_ctx, shape, output_grad.data<T>(), grad);
}

}  // namespace funcs
}  // namespace phi
