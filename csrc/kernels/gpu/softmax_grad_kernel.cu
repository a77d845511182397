// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax_grad_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/axis_team.cuh"

namespace phi {
namespace {

template <typename T>
struct SoftmaxGradBody {
  const T* y;
  const T* dy;
  T* dx;

  template <typename Team>
  __device__ void Run(const funcs::AxisShape& shape, int64_t, int64_t at) const {
    using MT = funcs::Acc<T>;
    MT sum = 0;
    Team::ForEach(shape, [&](int64_t, MT a, MT b) { sum += a * b; }, y + at, dy + at);
    const MT dot = Team::Reduce(sum, funcs::AddOp());
    Team::Map(shape, dx + at, [=](int64_t, MT a, MT b) { return (b - dot) * a; }, y + at, dy + at);
  }
};

}  // namespace

template <typename T, typename Context>
void SoftmaxGradKernel(
    const Context& dev_ctx, const DenseTensor& out, const DenseTensor& out_grad, int axis, DenseTensor* x_grad) {
  T* dx = dev_ctx.template Alloc<T>(x_grad);
  if (out.numel() == 0) return;
  const SoftmaxGradBody<T> body{out.data<T>(), out_grad.data<T>(), dx};
  funcs::LaunchAxisTeams(dev_ctx, funcs::AxisShape(out.dims(), axis), body);
}

}  // namespace phi

PD_REGISTER_KERNEL(
    softmax_grad, GPU, ALL_LAYOUT, phi::SoftmaxGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
