// SPDX-License-Identifier: Apache-2.0
#include "kernels/batch_norm_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/channels_last_kernel.h"
#include "kernels/funcs/channel_map.cuh"
#include "kernels/funcs/norm_params_gpu.cuh"
#include "kernels/norm/batch_norm.h"

namespace phi {
namespace {

// The mean of a channel, from the sum of its elements' differences from the first one: those of elements far from 0
// would lose digits.
template <typename T>
struct ChannelMean {
  using MT = primitive::Acc<T>;

  const T* x;
  int64_t inner;
  MT count;
  const MT* sum;

  __device__ MT Shift(int64_t c) const {
    const MT first = static_cast<MT>(x[c * inner]);
    return isfinite(first) ? first : MT(0);
  }
  __device__ MT operator()(int64_t c) const { return Shift(c) + sum[c] / count; }
};

template <typename T>
struct ValueTerm {
  ChannelMean<T> mean;
  __device__ funcs::Sums<primitive::Acc<T>, 1> operator()(int64_t i, int64_t c) const {
    return {static_cast<primitive::Acc<T>>(mean.x[i]) - mean.Shift(c)};
  }
};

template <typename T>
struct SquareTerm {
  ChannelMean<T> mean;
  __device__ funcs::Sums<primitive::Acc<T>, 1> operator()(int64_t i, int64_t c) const {
    const primitive::Acc<T> d = static_cast<primitive::Acc<T>>(mean.x[i]) - mean(c);
    return {d * d};
  }
};

// What is per channel: the statistics, and from them how elements are normalized.
template <typename T>
struct ChannelStep {
  using MT = primitive::Acc<T>;

  funcs::NormParam<T> mean;
  funcs::NormParam<T> variance;
  funcs::NormParam<T> scale;
  funcs::NormParam<T> bias;
  MT count;
  MT momentum;
  MT epsilon;
  bool global;
  ChannelMean<T> batch;
  const MT* squares;  // their sums; null if the statistics are not used
  funcs::NormParamOut<T> mean_out;
  funcs::NormParamOut<T> variance_out;
  MT* saved_mean;
  MT* saved_inv_std;
  MT* shift;  // out = (x - shift) * factor + offset
  MT* factor;
  MT* offset;

  __device__ void operator()(int64_t c) const {
    const MT old_mean = mean[c];
    const MT old_variance = variance[c];
    if (!squares) {
      saved_mean[c] = saved_inv_std[c] = 0;
      mean_out.Set(c, old_mean);
      variance_out.Set(c, old_variance);
      // one element per channel has no statistics and is passed on
      shift[c] = global ? old_mean : 0;
      factor[c] = global ? scale[c] / std::sqrt(old_variance + epsilon) : 1;
      offset[c] = global ? bias[c] : 0;
      return;
    }
    const MT batch_mean = batch(c);
    const MT batch_variance = squares[c] / count;
    const MT inv_std = 1 / std::sqrt(batch_variance + epsilon);
    saved_mean[c] = shift[c] = batch_mean;
    saved_inv_std[c] = inv_std;
    factor[c] = scale[c] * inv_std;
    offset[c] = bias[c];
    mean_out.Set(c, old_mean * momentum + batch_mean * (1 - momentum));
    variance_out.Set(c, old_variance * momentum + batch_variance * (1 - momentum));
  }
};

template <typename T>
struct Normalize {
  using MT = primitive::Acc<T>;

  const T* x;
  const MT* shift;
  const MT* factor;
  const MT* offset;
  T* out;
  __device__ void operator()(int64_t i, int64_t c) const {
    out[i] = static_cast<T>((static_cast<MT>(x[i]) - shift[c]) * factor[c] + offset[c]);
  }
};

}  // namespace

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
  const funcs::ChannelShape shape(x.dims(), data_format);
  const int64_t channels = shape.channels;
  const bool global = UsesGlobalStats(is_test, use_global_stats, trainable_statistics);
  const bool has_statistics = !global && shape.count() > 1;
  const T* data = x.data<T>();
  T* result = dev_ctx.template Alloc<T>(out);
  if (reserve_space) dev_ctx.template Alloc<uint8_t>(reserve_space);

  DenseTensor scratch;  // two sums and three coefficients
  scratch.Resize({5 * channels});
  MT* sums = dev_ctx.template Alloc<MT>(&scratch);
  const MT count = static_cast<MT>(shape.count());
  const ChannelMean<T> batch{data, shape.inner, count, sums};
  if (has_statistics) {
    funcs::ChannelSums<MT, 1>(dev_ctx, shape, ValueTerm<T>{batch}, sums);
    funcs::ChannelSums<MT, 1>(dev_ctx, shape, SquareTerm<T>{batch}, sums + channels);
  }
  MT* coefficients = sums + 2 * channels;
  const ChannelStep<T> step{funcs::NormParam<T>(&mean),
                            funcs::NormParam<T>(&variance),
                            funcs::NormParam<T>(scale.get_ptr(), MT(1)),
                            funcs::NormParam<T>(bias.get_ptr(), MT(0)),
                            count,
                            static_cast<MT>(momentum),
                            static_cast<MT>(epsilon),
                            global,
                            batch,
                            has_statistics ? sums + channels : nullptr,
                            funcs::NormParamOut<T>(dev_ctx, mean_out),
                            funcs::NormParamOut<T>(dev_ctx, variance_out),
                            dev_ctx.template Alloc<MT>(saved_mean),
                            dev_ctx.template Alloc<MT>(saved_variance),
                            coefficients,
                            coefficients + channels,
                            coefficients + 2 * channels};
  primitive::detail::RunForEach(dev_ctx, channels, step);
  funcs::ChannelMap(dev_ctx, shape, Normalize<T>{data, step.shift, step.factor, step.offset, result});
}

}  // namespace phi

static void TakesStatistics(phi::Kernel* kernel) {  // which may be of another type than the images
  for (int i : {1, 2, 3, 4}) kernel->InputAt(i).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2, 3, 4, 5}) kernel->OutputAt(i).SetDataType(phi::DataType::UNDEFINED);
}

PD_REGISTER_KERNEL(
    batch_norm, GPU, ALL_LAYOUT, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm, GPU, NHWC, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
PD_REGISTER_CHANNELS_LAST_KERNEL(
    batch_norm, GPU, NDHWC, phi::BatchNormKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
  TakesStatistics(kernel);
}
