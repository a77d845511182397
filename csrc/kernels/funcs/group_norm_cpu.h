// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "kernels/funcs/norm_params_cpu.h"

// Normalization of groups of channels whose pixels lie one after another, on the CPU.
namespace phi::funcs {

// Images as [batch, groups, channels of a group, pixels].
struct GroupShape {
  int64_t batch, groups, channels, pixels;

  explicit GroupShape(const DDim& split) : batch(split[0]), groups(split[1]), channels(split[2]), pixels(split[3]) {}
  int64_t rows() const { return batch * groups; }
  int64_t size() const { return channels * pixels; }
  // where the parameters of the channels of a row begin
  int64_t FirstChannel(int64_t row) const { return row % groups * channels; }
  // a loop over the pixels of a channel at a time pays
  bool HasLongRows() const { return pixels >= 16; }
};

// y = (x - mean) / std * scale + bias. The statistics of each row may be null.
template <typename T>
void GroupNormOnCpu(const CPUContext& dev_ctx,
                    const GroupShape& shape,
                    const T* x,
                    const DenseTensor* scale,
                    const DenseTensor* bias,
                    double epsilon,
                    T* y,
                    primitive::Acc<T>* means,
                    primitive::Acc<T>* variances) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const int64_t channels = shape.groups * shape.channels;
  const NormParam<T> scales(dev_ctx, scale, channels, MT(1));
  const NormParam<T> biases(dev_ctx, bias, channels, MT(0));
  const bool stream = primitive::detail::Streams(shape.rows() * shape.size(), y, x);
  ParallelFor(shape.rows(), primitive::RowGrain(shape.size()), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* from = x + row * shape.size();
      const MT mean = primitive::VecSum(shape.size(), from) / shape.size();
      const auto square = [=](const V& v) { return (v - V(mean)) * (v - V(mean)); };
      const MT variance = primitive::VecSum(shape.size(), square, from) / shape.size();
      const MT inv_std = 1 / std::sqrt(variance + epsilon);
      for (int64_t c = 0; c < shape.channels; ++c) {
        const int64_t channel = shape.FirstChannel(row) + c;
        const V factor(scales.data()[channel] * inv_std), shift(biases.data()[channel]);
        const auto normalize = [=](const V& v) { return at::vec::fmadd(v - V(mean), factor, shift); };
        const int64_t at = c * shape.pixels;
        primitive::VecWrite(shape.pixels, y + row * shape.size() + at, stream, normalize, from + at);
      }
      if (means) means[row] = mean;
      if (variances) variances[row] = variance;
    }
    if (stream) primitive::detail::EndStream();
  });
}

// A null gradient is not computed.
template <typename T>
void GroupNormGradOnCpu(const CPUContext& dev_ctx,
                        const GroupShape& shape,
                        const T* x,
                        const T* y_grad,
                        const DenseTensor* scale,
                        const primitive::Acc<T>* means,
                        const primitive::Acc<T>* variances,
                        double epsilon,
                        T* x_grad,
                        DenseTensor* scale_grad,
                        DenseTensor* bias_grad) {
  using MT = primitive::Acc<T>;
  using V = primitive::Vec<T>;
  const int64_t channels = shape.groups * shape.channels;
  const NormParam<T> scales(dev_ctx, scale, channels, MT(1));
  // of each channel of an image: the sum of the gradient, and that of it times what was normalized
  Scratch<MT> scratch(dev_ctx, 2 * (shape.batch + 1) * channels);
  MT* sums = scratch.data();
  MT* products = sums + shape.batch * channels;
  const bool stream = x_grad && primitive::detail::Streams(shape.rows() * shape.size(), x_grad, x, y_grad);
  ParallelFor(shape.rows(), primitive::RowGrain(shape.size()), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T* from = x + row * shape.size();
      const T* grad = y_grad + row * shape.size();
      const MT mean = means[row], inv_std = 1 / std::sqrt(variances[row] + epsilon);
      const auto product = [=](const V& v, const V& g) { return (v - V(mean)) * (g * V(inv_std)); };
      MT sum = 0, along = 0;  // of the gradient of what was normalized
      for (int64_t c = 0; c < shape.channels; ++c) {
        const MT weight = scales.data()[shape.FirstChannel(row) + c];
        const int64_t at = c * shape.pixels, to = row * shape.channels + c;
        sums[to] = primitive::VecSum(shape.pixels, grad + at);
        products[to] = primitive::VecSum(shape.pixels, product, from + at, grad + at);
        sum += weight * sums[to];
        along += weight * products[to];
      }
      if (x_grad == nullptr) continue;
      const V level(sum * inv_std / shape.size()), slope(along * inv_std / shape.size());
      for (int64_t c = 0; c < shape.channels; ++c) {
        const V factor(scales.data()[shape.FirstChannel(row) + c] * inv_std);
        const auto gradient = [=](const V& v, const V& g) {
          return factor * g - level - (v - V(mean)) * V(inv_std) * slope;
        };
        const int64_t at = c * shape.pixels;
        primitive::VecWrite(shape.pixels, x_grad + row * shape.size() + at, stream, gradient, from + at, grad + at);
      }
    }
    if (stream) primitive::detail::EndStream();
  });
  MT* total = products + shape.batch * channels;
  const auto store = [&](const MT* of_images, DenseTensor* out) {
    if (out == nullptr) return;
    std::fill_n(total, channels, MT(0));
    for (int64_t n = 0; n < shape.batch; ++n) {
      for (int64_t c = 0; c < channels; ++c) total[c] += of_images[n * channels + c];
    }
    StoreNormParam<T>(dev_ctx, channels, total, out);
  };
  store(products, scale_grad);
  store(sums, bias_grad);
}

}  // namespace phi::funcs
