// SPDX-License-Identifier: Apache-2.0
#include "kernels/batch_norm_grad_kernel.h"

#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/batch_norm_kernel.h"
#include "kernels/funcs/channels_cpu.h"
#include "kernels/norm/batch_norm.h"

namespace phi {

// saved_mean and saved_variance are those of the forward kernel; with running statistics, mean_out and variance_out
// are read instead. An output is null when its gradient is not wanted.
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
  using V = primitive::Vec<T>;
  const funcs::ChannelShape shape(x.dims(), data_format);
  const int64_t channels = shape.channels;
  const int64_t count = shape.count();
  const T* dy = out_grad.data<T>();
  const bool global = UsesGlobalStats(is_test, use_global_stats, trainable_statistics);
  // sums of dy, sums of dy * (x - mean), then the coefficients of x_grad = a * dy + b * (x - mean) + c
  funcs::Scratch<MT> scratch(dev_ctx, 6 * channels);
  MT* sum_dy = scratch.data();
  MT* sum_product = sum_dy + channels;
  MT* a = sum_product + channels;
  MT* b = a + channels;
  MT* c = b + channels;
  MT* inv_std = c + channels;

  if (!global && count <= 1) {  // the forward kernel passed x on
    std::fill_n(sum_dy, 2 * channels, MT(0));
    if (x_grad) std::copy_n(dy, x.numel(), dev_ctx.template Alloc<T>(x_grad));
    if (scale_grad) funcs::StoreNormParam<T>(dev_ctx, channels, sum_product, scale_grad);
    if (bias_grad) funcs::StoreNormParam<T>(dev_ctx, channels, sum_dy, bias_grad);
    return;
  }

  const funcs::NormParam<T> means(dev_ctx, global ? mean_out.get_ptr() : &saved_mean, channels);
  if (global) {
    const funcs::NormParam<T> variances(dev_ctx, variance_out.get_ptr(), channels);
    for (int64_t i = 0; i < channels; ++i) inv_std[i] = 1 / std::sqrt(variances.data()[i] + epsilon);
  } else {
    std::copy_n(saved_variance.data<MT>(), channels, inv_std);
  }
  if (!global || scale_grad || bias_grad) {
    const auto identity = [](const V&, const V& g, const V&) { return g; };
    const auto product = [](const V& v, const V& g, const V& m) { return g * (v - m); };
    const funcs::ChannelParams<MT, 1> params{means.data()};
    funcs::ChannelSums<T>(dev_ctx, shape, sum_dy, std::tuple(identity, product), params, x.data<T>(), dy);
  }
  if (x_grad) {
    const funcs::NormParam<T> scales(dev_ctx, scale.get_ptr(), channels, MT(1));
    for (int64_t i = 0; i < channels; ++i) {
      a[i] = scales.data()[i] * inv_std[i];
      b[i] = global ? 0 : -a[i] * inv_std[i] * inv_std[i] * sum_product[i] / count;
      c[i] = global ? 0 : -a[i] * sum_dy[i] / count;
    }
    const auto gradient = [](const V& v, const V& g, const V& m, const V& ka, const V& kb, const V& kc) {
      return at::vec::fmadd(ka, g, at::vec::fmadd(kb, v - m, kc));
    };
    const funcs::ChannelParams<MT, 4> params{means.data(), a, b, c};
    funcs::ChannelMap(shape, dev_ctx.template Alloc<T>(x_grad), gradient, params, x.data<T>(), dy);
  }
  if (scale_grad) {
    for (int64_t i = 0; i < channels; ++i) sum_product[i] *= inv_std[i];
    funcs::StoreNormParam<T>(dev_ctx, channels, sum_product, scale_grad);
  }
  if (bias_grad) funcs::StoreNormParam<T>(dev_ctx, channels, sum_dy, bias_grad);
}

}  // namespace phi

static void TakesStatistics(phi::Kernel* kernel) {  // which may be of another type than the images
  for (int i : {1, 2, 3, 4, 5, 6, 7}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(batch_norm_grad,
                   CPU,
                   ALL_LAYOUT,
                   phi::BatchNormGradKernel,
                   float,
                   double,
                   phi::dtype::float16,
                   phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm_grad, CPU, NHWC, phi::BatchNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm_grad, CPU, NDHWC, phi::BatchNormGradKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
