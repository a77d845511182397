// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "kernels/layer_norm_kernel.h"
#include "primitive/elementwise.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace fusion {

// x + alpha * residual
struct AddScaled {
  float alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x, V residual) const {
    return x + V(alpha) * residual;
  }
  template <typename V>
  HOSTDEVICE V operator()(V x, V residual, V bias) const {
    return x + bias + V(alpha) * residual;
  }
};

struct InverseDeviation {
  double epsilon;
  template <typename V>
  HOSTDEVICE V operator()(V variance) const {
    return math::Rsqrt(variance + V(epsilon));
  }
};

}  // namespace fusion

// The layer normalization of residual_out = x + bias + residual_alpha * residual; the sum alone without weight and bias
// of the normalization. `variance` is 1 / sqrt(variance + epsilon), as in Paddle. A null `residual_out` is not wanted.
template <typename T, typename Context>
void FusedBiasResidualLayernormKernel(const Context& dev_ctx,
                                      const DenseTensor& x,
                                      const paddle::optional<DenseTensor>& bias,
                                      const paddle::optional<DenseTensor>& residual,
                                      const paddle::optional<DenseTensor>& norm_weight,
                                      const paddle::optional<DenseTensor>& norm_bias,
                                      float epsilon,
                                      float residual_alpha,
                                      int begin_norm_axis,
                                      float quant_scale,
                                      int quant_round_type,
                                      float quant_max_bound,
                                      float quant_min_bound,
                                      DenseTensor* out,
                                      DenseTensor* residual_out,
                                      DenseTensor* mean,
                                      DenseTensor* variance) {
  DenseTensor* to = residual_out != nullptr ? residual_out : out;
  dev_ctx.template Alloc<T>(to);
  const DDim dims = flatten_to_2d(x.dims(), begin_norm_axis);
  const DenseTensor rows = primitive::ViewOf(x, dims);
  DenseTensor sum = primitive::ViewOf(*to, dims);
  const fusion::AddScaled add{residual_alpha}, shift{1};
  if (residual) {
    const DenseTensor more = primitive::ViewOf(*residual, dims);
    if (bias) {
      primitive::Map<T>(dev_ctx, &sum, add, rows, more, primitive::ViewOf(*bias, {dims[1]}));
    } else {
      primitive::Map<T>(dev_ctx, &sum, add, rows, more);
    }
  } else if (bias) {
    primitive::Map<T>(dev_ctx, &sum, shift, rows, primitive::ViewOf(*bias, {dims[1]}));
  } else {
    primitive::Copy(dev_ctx, rows, &sum);
  }
  DenseTensor normalized;  // thrown away where the sum is the result
  normalized.Resize(dims);
  const bool is_sum = !norm_weight && !norm_bias;
  if (!is_sum) {
    dev_ctx.template Alloc<T>(out);
    normalized = primitive::ViewOf(*out, dims);
  }
  LayerNormKernel<T, Context>(dev_ctx, sum, norm_weight, norm_bias, epsilon, 1, &normalized, mean, variance);
  primitive::Map<primitive::Acc<T>>(dev_ctx, variance, fusion::InverseDeviation{epsilon}, *variance);
  if (is_sum && to != out) primitive::Copy(dev_ctx, *to, out);
}

}  // namespace phi
