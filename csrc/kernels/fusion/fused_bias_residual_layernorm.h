// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/optional.h"
#include "kernels/funcs/broadcast_grad.h"
#include "kernels/layer_norm_grad_kernel.h"
#include "kernels/layer_norm_kernel.h"
#include "kernels/math/add.h"
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

struct Scaled {
  float alpha;
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return V(alpha) * x;
  }
};

struct InverseDeviation {
  double epsilon;
  template <typename V>
  HOSTDEVICE V operator()(V variance) const {
    return math::Rsqrt(variance + V(epsilon));
  }
};

// What the statistics of a part of `count` elements add to its gradient.
template <typename C>
struct AddMeanGrad {
  C count;
  template <typename V>
  HOSTDEVICE V operator()(V sum, V mean_grad) const {
    return sum + mean_grad / V(count);
  }
};

struct InverseGrad {  // that of the variance, times -2
  template <typename V>
  HOSTDEVICE V operator()(V inverse, V grad) const {
    return grad * inverse * inverse * inverse;
  }
};

template <typename C>
struct AddVarianceGrad {
  C count;
  template <typename V>
  HOSTDEVICE V operator()(V sum, V x, V mean, V slope) const {
    return sum - slope * (x - mean) / V(count);
  }
};

struct VarianceOfInverse {
  template <typename V>
  HOSTDEVICE V operator()(V inverse) const {
    const V deviation = V(1) / inverse;
    return deviation * deviation;
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

// `variance` is that of the result above. A null gradient is not computed.
template <typename T, typename Context>
void FusedBiasResidualLayernormGradKernel(const Context& dev_ctx,
                                          const paddle::optional<DenseTensor>& norm_weight,
                                          const paddle::optional<DenseTensor>& norm_bias,
                                          const DenseTensor& residual_out,
                                          const DenseTensor& mean,
                                          const DenseTensor& variance,
                                          const DenseTensor& out_grad,
                                          const paddle::optional<DenseTensor>& residual_out_grad,
                                          const paddle::optional<DenseTensor>& mean_grad,
                                          const paddle::optional<DenseTensor>& variance_grad,
                                          float residual_alpha,
                                          int begin_norm_axis,
                                          DenseTensor* x_grad,
                                          DenseTensor* bias_grad,
                                          DenseTensor* residual_grad,
                                          DenseTensor* norm_weight_grad,
                                          DenseTensor* norm_bias_grad) {
  const DDim dims = flatten_to_2d(residual_out.dims(), begin_norm_axis);
  const DenseTensor from = primitive::ViewOf(out_grad, dims);
  // the gradient of the sum
  const bool wants_sum = x_grad || bias_grad || residual_grad;
  DenseTensor sum;
  if (x_grad) {
    dev_ctx.template Alloc<T>(x_grad);
    sum = primitive::ViewOf(*x_grad, dims);
  } else if (wants_sum) {
    sum = primitive::EmptyTensor<T>(dev_ctx, dims);
  }
  if (norm_weight || norm_bias) {
    DenseTensor variances;
    variances.Resize(variance.dims());
    primitive::Map<primitive::Acc<T>>(dev_ctx, &variances, fusion::VarianceOfInverse(), variance);
    LayerNormGradKernel<T, Context>(dev_ctx,
                                    primitive::ViewOf(residual_out, dims),
                                    norm_weight,
                                    norm_bias,
                                    mean,
                                    variances,
                                    from,
                                    0,
                                    1,
                                    wants_sum ? &sum : nullptr,
                                    norm_weight_grad,
                                    norm_bias_grad);
  } else if (wants_sum) {
    primitive::Copy(dev_ctx, from, &sum);
  }
  if (!wants_sum) return;
  if (residual_out_grad) {
    primitive::Map<T>(dev_ctx, &sum, AddFunctor(), sum, primitive::ViewOf(*residual_out_grad, dims));
  }
  using C = primitive::Acc<T>;
  const DDim each{dims[0], 1};
  if (mean_grad) {
    primitive::Elementwise<T, T, C>(
        dev_ctx, &sum, fusion::AddMeanGrad<C>{static_cast<C>(dims[1])}, sum, primitive::ViewOf(*mean_grad, each));
  }
  if (variance_grad) {
    DenseTensor slopes = primitive::EmptyTensor<C>(dev_ctx, each);
    primitive::Map<C>(dev_ctx,
                      &slopes,
                      fusion::InverseGrad(),
                      primitive::ViewOf(variance, each),
                      primitive::ViewOf(*variance_grad, each));
    primitive::Elementwise<T, T, T, C, C>(dev_ctx,
                                          &sum,
                                          fusion::AddVarianceGrad<C>{static_cast<C>(dims[1])},
                                          sum,
                                          primitive::ViewOf(residual_out, dims),
                                          primitive::ViewOf(mean, each),
                                          slopes);
  }
  if (bias_grad) funcs::SumBroadcast(dev_ctx, sum, {1, dims[1]}, sum.dtype(), bias_grad);
  if (residual_grad) {
    dev_ctx.template Alloc<T>(residual_grad);
    DenseTensor scaled = primitive::ViewOf(*residual_grad, dims);
    primitive::Map<T>(dev_ctx, &scaled, fusion::Scaled{residual_alpha}, sum);
  }
}

}  // namespace phi
