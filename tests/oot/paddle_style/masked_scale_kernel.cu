// SPDX-License-Identifier: Apache-2.0
// A GPU kernel in Paddle's style.
#include "backends/gpu/gpu_context.h"
#include "backends/gpu/gpu_launch_config.h"
#include "common/optional.h"
#include "core/kernel_registry.h"
#include "kernels/funcs/elementwise_base.h"
#include "kernels/funcs/math_function.h"

namespace phi {

namespace {

template <typename T>
__global__ void MaskedScaleCUDAKernel(const T* x, const bool* mask, T scale, int64_t numel, T* out) {
  CUDA_KERNEL_LOOP_TYPE(i, numel, int64_t) { out[i] = mask[i] ? scale * x[i] : static_cast<T>(0); }
}

template <typename T>
struct ScaleFunctor {
  T scale;
  inline HOSTDEVICE T operator()(const T x) const { return scale * x; }
};

}  // namespace

template <typename T, typename Context>
void MaskedScaleKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const paddle::optional<DenseTensor>& mask,
                       float scale,
                       DenseTensor* out) {
  T* out_data = dev_ctx.template Alloc<T>(out);
  const int64_t numel = x.numel();
  if (scale == 0.0f) {
    funcs::SetConstant<Context, T>()(dev_ctx, out, static_cast<T>(0));
    return;
  }
  if (!mask) {
    std::vector<const DenseTensor*> ins = {&x};
    std::vector<DenseTensor*> outs = {out};
    funcs::ElementwiseKernel<T>(dev_ctx, ins, &outs, ScaleFunctor<T>{static_cast<T>(scale)});
    return;
  }
  auto config = phi::backends::gpu::GetGpuLaunchConfig1D(dev_ctx, numel);
  MaskedScaleCUDAKernel<T><<<config.block_per_grid, config.thread_per_block, 0, dev_ctx.stream()>>>(
      x.data<T>(), mask->data<bool>(), static_cast<T>(scale), numel, out_data);
  PADDLE_ENFORCE_GPU_SUCCESS(cudaGetLastError());
}

}  // namespace phi

PD_REGISTER_KERNEL(masked_scale, GPU, ALL_LAYOUT, phi::MaskedScaleKernel, float, double) {
  kernel->InputAt(1).SetDataType(phi::DataType::BOOL);
}
