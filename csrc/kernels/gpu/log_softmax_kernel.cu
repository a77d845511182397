// SPDX-License-Identifier: Apache-2.0
#include "kernels/log_softmax_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/funcs/softmax_gpu.cuh"

namespace phi {
namespace {

template <typename T>
struct LogSoftmaxBody {
  const T* x;
  T* out;

  template <typename Team>
  __device__ void Run(const funcs::AxisShape& shape, int64_t, int64_t at) const {
    using MT = funcs::Acc<T>;
    const funcs::SoftmaxState<MT> state = funcs::ReduceSoftmax<Team>(shape, x + at);
    const MT shift = std::log(state.Total());
    Team::Map(shape, out + at, [=](int64_t, MT v) { return v - state.max - shift; }, x + at);
  }
};

}  // namespace

template <typename T, typename Context>
void LogSoftmaxKernel(const Context& dev_ctx, const DenseTensor& x, int axis, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  if (x.numel() == 0) return;
  funcs::LaunchAxisTeams(dev_ctx, funcs::AxisShape(x.dims(), axis), LogSoftmaxBody<T>{x.data<T>(), result});
}

}  // namespace phi

PD_REGISTER_KERNEL(
    log_softmax, GPU, ALL_LAYOUT, phi::LogSoftmaxKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
