// SPDX-License-Identifier: Apache-2.0
#include "kernels/batch_norm_grad_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/batch_norm_kernel.h"
#include "kernels/funcs/channel_map.cuh"
#include "kernels/funcs/norm_params_gpu.cuh"
#include "kernels/norm/batch_norm.h"

namespace phi {
namespace {

// dy and dy * (x - mean)
template <typename T>
struct GradTerms {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* dy;
  funcs::NormParam<T> mean;
  __device__ funcs::Sums<MT, 2> operator()(int64_t i, int64_t c) const {
    const MT g = static_cast<MT>(dy[i]);
    return {g, g * (static_cast<MT>(x[i]) - mean[c])};
  }
};

// What is per channel: the gradients of the parameters, and x_grad = a * dy + b * (x - mean) + c.
template <typename T>
struct ChannelGradStep {
  using MT = primitive::Acc<T>;

  const MT* sums;  // of GradTerms; null if they are not wanted
  funcs::NormParam<T> scale;
  funcs::NormParam<T> variance;  // the running one; only if `global`
  const MT* saved_inv_std;
  MT count;
  MT epsilon;
  bool global;
  bool pass_on;  // the forward kernel passed x on
  int64_t channels;
  funcs::NormParamOut<T> scale_grad;
  funcs::NormParamOut<T> bias_grad;
  MT* a;
  MT* b;
  MT* c;

  __device__ void operator()(int64_t i) const {
    const MT inv_std = global ? 1 / std::sqrt(variance[i] + epsilon) : saved_inv_std[i];
    const MT sum = sums && !pass_on ? sums[i] : MT(0);
    const MT product = sums && !pass_on ? sums[channels + i] : MT(0);
    scale_grad.Set(i, product * inv_std);
    bias_grad.Set(i, sum);
    a[i] = pass_on ? MT(1) : scale[i] * inv_std;
    b[i] = global ? MT(0) : -a[i] * inv_std * inv_std * product / count;
    c[i] = global ? MT(0) : -a[i] * sum / count;
  }
};

template <typename T>
struct XGrad {
  using MT = primitive::Acc<T>;

  const T* x;
  const T* dy;
  funcs::NormParam<T> mean;
  const MT* a;
  const MT* b;
  const MT* c;
  T* dx;
  __device__ void operator()(int64_t i, int64_t k) const {
    const MT centred = static_cast<MT>(x[i]) - mean[k];
    dx[i] = static_cast<T>(a[k] * static_cast<MT>(dy[i]) + b[k] * centred + c[k]);
  }
};

}  // namespace

template <typename T, typename Context>
void BatchNormGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& scale,
                         const paddle::optional<DenseTensor>&,
                         const paddle::optional<DenseTensor>& mean_out,
                         const paddle::optional<DenseTensor>& variance_out,
                         const DenseTensor& saved_mean,
                         const DenseTensor& saved_variance,
                         const paddle::optional<DenseTensor>&,
                         const DenseTensor& out_grad,
                         double,
                         double epsilon,
                         const std::string& data_format,
                         bool is_test,
                         bool use_global_stats,
                         bool trainable_statistics,
                         DenseTensor* x_grad,
                         DenseTensor* scale_grad,
                         DenseTensor* bias_grad) {
  using MT = primitive::Acc<T>;
  const funcs::ChannelShape shape(x.dims(), data_format);
  const int64_t channels = shape.channels;
  const bool global = UsesGlobalStats(is_test, use_global_stats, trainable_statistics);
  const bool pass_on = !global && shape.count() <= 1;
  const T* data = x.data<T>();
  const T* dy = out_grad.data<T>();
  const funcs::NormParam<T> mean(global ? mean_out.get_ptr() : &saved_mean);

  DenseTensor scratch;  // two sums and three coefficients
  scratch.Resize({5 * channels});
  MT* sums = dev_ctx.template Alloc<MT>(&scratch);
  const bool needs_sums = !pass_on && (!global || scale_grad || bias_grad);
  if (needs_sums) funcs::ChannelSums<MT, 2>(dev_ctx, shape, GradTerms<T>{data, dy, mean}, sums);
  MT* a = sums + 2 * channels;
  const ChannelGradStep<T> step{needs_sums ? sums : nullptr,
                                funcs::NormParam<T>(scale.get_ptr(), MT(1)),
                                funcs::NormParam<T>(global ? variance_out.get_ptr() : nullptr),
                                saved_variance.data<MT>(),
                                static_cast<MT>(shape.count()),
                                static_cast<MT>(epsilon),
                                global,
                                pass_on,
                                channels,
                                funcs::NormParamOut<T>(dev_ctx, scale_grad),
                                funcs::NormParamOut<T>(dev_ctx, bias_grad),
                                a,
                                a + channels,
                                a + 2 * channels};
  primitive::detail::RunForEach(dev_ctx, channels, step);
  if (!x_grad) return;
  const XGrad<T> gradient{data, dy, mean, step.a, step.b, step.c, dev_ctx.template Alloc<T>(x_grad)};
  funcs::ChannelMap(dev_ctx, shape, gradient);
}

}  // namespace phi

static void TakesStatistics(phi::Kernel* kernel) {  // which may be of another type than the images
  for (int i : {1, 2, 3, 4, 5, 6, 7}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(batch_norm_grad,
                   GPU,
                   ALL_LAYOUT,
                   phi::BatchNormGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm_grad, GPU, NHWC, phi::BatchNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm_grad, GPU, NDHWC, phi::BatchNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
