// SPDX-License-Identifier: Apache-2.0
#include "kernels/log_softmax_grad_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/softmax_gpu.cuh"

namespace phi {

template <typename T, typename Context>
void LogSoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  T* dx = dev_ctx.template Alloc<T>(x_grad);
  if (out.numel() == 0) return;
  const funcs::AxisShape shape(out.dims(), axis);
  funcs::SoftmaxGradAxis<funcs::LogSoftmaxGradFunctor>(dev_ctx, shape, out.data<T>(), out_grad.data<T>(), dx);
}

}  // namespace phi

PD_REGISTER_KERNEL(log_softmax_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::LogSoftmaxGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {}
