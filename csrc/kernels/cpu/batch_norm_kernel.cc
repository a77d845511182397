// SPDX-License-Identifier: Apache-2.0
#include "kernels/batch_norm_kernel.h"

#include <cmath>

#include "backends/cpu/cpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/funcs/channels_cpu.h"
#include "kernels/norm/batch_norm.h"

namespace phi {

// Normalizes each channel of x: with the statistics of the batch, or with the running ones when testing.
// saved_mean and saved_variance (1 / sqrt(variance + epsilon)) are those of the batch, zero otherwise.
// `momentum` is what the running statistics keep; mean_out and variance_out may be mean and variance.
template <typename T, typename Context>
void BatchNormKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& mean,
                     const DenseTensor& variance,
                     const paddle::optional<DenseTensor>& scale,
                     const paddle::optional<DenseTensor>& bias,
                     bool is_test,
                     double momentum,
                     double epsilon,
                     const std::string& data_format,
                     bool use_global_stats,
                     bool trainable_statistics,
                     DenseTensor* out,
                     DenseTensor* mean_out,
                     DenseTensor* variance_out,
                     DenseTensor* saved_mean,
                     DenseTensor* saved_variance,
                     DenseTensor* reserve_space) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const funcs::ChannelShape shape(x.dims(), data_format);
  const int64_t channels = shape.channels;
  T* result = dev_ctx.template Alloc<T>(out);
  MT* batch_mean = dev_ctx.template Alloc<MT>(saved_mean);
  MT* batch_inv_std = dev_ctx.template Alloc<MT>(saved_variance);
  if (reserve_space) dev_ctx.template Alloc<uint8_t>(reserve_space);

  const funcs::NormParam<T> running_mean(dev_ctx, &mean, channels);
  const funcs::NormParam<T> running_variance(dev_ctx, &variance, channels);
  const bool global = UsesGlobalStats(is_test, use_global_stats, trainable_statistics);
  // PHI's rule: one element per channel has no statistics and is passed on
  const bool pass_on = !global && shape.count() <= 1;
  if (global || pass_on) {
    std::fill_n(batch_mean, channels, MT(0));
    std::fill_n(batch_inv_std, channels, MT(0));
    funcs::StoreNormParam<T>(dev_ctx, channels, running_mean.data(), mean_out);
    funcs::StoreNormParam<T>(dev_ctx, channels, running_variance.data(), variance_out);
  }
  if (pass_on) {
    std::copy_n(x.data<T>(), x.numel(), result);
    return;
  }

  const funcs::NormParam<T> scales(dev_ctx, scale.get_ptr(), channels, MT(1));
  const funcs::NormParam<T> biases(dev_ctx, bias.get_ptr(), channels, MT(0));
  funcs::Scratch<MT> scratch(dev_ctx, 3 * channels);
  MT* factor = scratch.data();  // scale / std
  if (global) {
    for (int64_t c = 0; c < channels; ++c) {
      factor[c] = scales.data()[c] / std::sqrt(running_variance.data()[c] + epsilon);
    }
  } else {
    MT* new_mean = factor + channels;
    MT* new_variance = new_mean + channels;  // first the batch's
    // The sums are of differences from the channel's first element: those of elements far from 0 would lose digits.
    MT* shift = new_mean;
    for (int64_t c = 0; c < channels; ++c) {
      const MT first = static_cast<MT>(x.data<T>()[c * shape.inner]);
      shift[c] = std::isfinite(first) ? first : 0;
    }
    const auto minus = [](const V& v, const V& s) { return v - s; };
    funcs::ChannelSums<T>(
        dev_ctx, shape, batch_mean, std::tuple(minus), funcs::ChannelParams<MT, 1>{shift}, x.data<T>());
    for (int64_t c = 0; c < channels; ++c) batch_mean[c] = shift[c] + batch_mean[c] / shape.count();
    const auto square = [](const V& v, const V& m) { return (v - m) * (v - m); };
    funcs::ChannelSums<T>(
        dev_ctx, shape, new_variance, std::tuple(square), funcs::ChannelParams<MT, 1>{batch_mean}, x.data<T>());
    for (int64_t c = 0; c < channels; ++c) {
      const MT batch_variance = new_variance[c] / shape.count();
      batch_inv_std[c] = 1 / std::sqrt(batch_variance + epsilon);
      factor[c] = scales.data()[c] * batch_inv_std[c];
      new_mean[c] = running_mean.data()[c] * momentum + batch_mean[c] * (1 - momentum);
      new_variance[c] = running_variance.data()[c] * momentum + batch_variance * (1 - momentum);
    }
    funcs::StoreNormParam<T>(dev_ctx, channels, new_mean, mean_out);
    funcs::StoreNormParam<T>(dev_ctx, channels, new_variance, variance_out);
  }
  const auto normalize = [](const V& v, const V& m, const V& f, const V& b) { return at::vec::fmadd(v - m, f, b); };
  const funcs::ChannelParams<MT, 3> params{global ? running_mean.data() : batch_mean, factor, biases.data()};
  funcs::ChannelMap(shape, result, normalize, params, x.data<T>());
}

}  // namespace phi

static void TakesStatistics(phi::Kernel* kernel) {  // which may be of another type than the images
  for (int i : {1, 2, 3, 4}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2, 3, 4, 5}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(
    batch_norm, CPU, ALL_LAYOUT, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm, CPU, NHWC, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm, CPU, NDHWC, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
