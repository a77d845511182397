// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

// `coeff` is AdamW's weight decay, which the gradient does not see; 0 makes it Adam.
template <typename C>
struct AdamStep {
  C beta1;
  C beta2;
  C epsilon;
  bool amsgrad;
  bool has_master;
  double lr_ratio = 1;
  double coeff = 0;
  C step_size = 0;           // rate / (1 - beta1_pow) for the rate learning_rate * lr_ratio
  C decay = 1;               // 1 - rate * coeff
  C moment2_correction = 0;  // 1 / sqrt(1 - beta2_pow)
  bool skip = false;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment2_max, V& moment1, V& moment2, V& grad) const {
    if (skip) return;
    moment1 = V(beta1) * moment1 + V(C(1) - beta1) * grad;
    moment2 = V(beta2) * moment2 + V(C(1) - beta2) * grad * grad;
    V second = moment2;
    if (amsgrad) second = moment2_max = math::Select(moment2 > moment2_max, moment2, moment2_max);
    const V denominator = math::Sqrt(second) * V(moment2_correction) + V(epsilon);
    const V decayed = funcs::MasterOr(has_master, master, param) * V(decay);
    const V updated = decayed - V(step_size) * moment1 / denominator;
    funcs::StoreParam(has_master, updated, &param, &master);
  }
};

template <typename C>
struct AdamFunctor {
  funcs::DeviceNumber learning_rate;
  funcs::DeviceNumber beta1_pow;
  funcs::DeviceNumber beta2_pow;
  const bool* skip_update;
  AdamStep<C> step;

  HOSTDEVICE AdamStep<C> Prepare() const {
    AdamStep<C> prepared = step;
    const double rate = learning_rate() * step.lr_ratio;
    prepared.step_size = static_cast<C>(rate / (1 - beta1_pow()));
    prepared.decay = static_cast<C>(1 - rate * step.coeff);
    prepared.moment2_correction = static_cast<C>(1 / math::Sqrt(1 - beta2_pow()));
    prepared.skip = skip_update != nullptr && *skip_update;
    return prepared;
  }
};

template <typename C>
struct BetaPowStep {
  C beta;
  template <typename V>
  HOSTDEVICE void operator()(V& pow) const {
    pow = pow * V(beta);
  }
};

template <typename C>
struct BetaPowFunctor {
  C beta;
  const bool* skip_update;
  HOSTDEVICE BetaPowStep<C> Prepare() const { return {skip_update != nullptr && *skip_update ? C(1) : beta}; }
};

// `beta` is 1 where the power stays.
template <typename Context>
void UpdateBetaPow(
    const Context& dev_ctx, const DenseTensor& pow, double beta, const bool* skip_update, DenseTensor* out) {
  const auto update = [&](auto type) {
    using C = decltype(type);
    const BetaPowFunctor<C> functor{static_cast<C>(beta), skip_update};
    funcs::UpdateElements<C>(dev_ctx, pow.numel(), functor, funcs::MakeStream<C>(dev_ctx, pow, out));
  };
  pow.dtype() == DataType::FLOAT64 ? update(double()) : update(float());
}

// The tensors of one parameter; moment2_max and master_param may be null.
struct AdamInputs {
  const DenseTensor& param;
  const DenseTensor& grad;
  const DenseTensor& learning_rate;
  const DenseTensor& moment1;
  const DenseTensor& moment2;
  const DenseTensor* moment2_max;
  const DenseTensor& beta1_pow;
  const DenseTensor& beta2_pow;
  const DenseTensor* master_param;
};
struct AdamOutputs {
  DenseTensor* param;
  DenseTensor* moment1;
  DenseTensor* moment2;
  DenseTensor* moment2_max;
  DenseTensor* beta1_pow;
  DenseTensor* beta2_pow;
  DenseTensor* master_param;
};

// `skip_update` may be null.
template <typename T, typename Context>
void UpdateAdam(const Context& dev_ctx,
                const AdamStep<primitive::ComputeType<T>>& step,
                const Scalar& beta1,
                const Scalar& beta2,
                bool use_global_beta_pow,
                const bool* skip_update,
                const AdamInputs& in,
                const AdamOutputs& out) {
  using C = primitive::ComputeType<T>;
  const AdamFunctor<C> functor{funcs::DeviceNumber(in.learning_rate),
                               funcs::DeviceNumber(in.beta1_pow),
                               funcs::DeviceNumber(in.beta2_pow),
                               skip_update,
                               step};
  const auto p = funcs::MakeStream<T>(dev_ctx, in.param, out.param);
  const auto master = funcs::MakeOptionalStream<C>(dev_ctx, in.master_param, out.master_param);
  funcs::WithTypeOf<T>(in.moment1, [&](auto type) {
    using M = decltype(type);
    const auto m1 = funcs::MakeStream<M>(dev_ctx, in.moment1, out.moment1);
    const auto m2 = funcs::MakeStream<M>(dev_ctx, in.moment2, out.moment2);
    const auto max = funcs::MakeOptionalStream<M>(dev_ctx, in.moment2_max, out.moment2_max);
    funcs::WithGrad<T>(in.grad, [&](auto g) {
      funcs::UpdateElements<C>(dev_ctx, in.param.numel(), functor, p, master, max, m1, m2, g);
    });
  });
  // after the update, which reads the powers of this step
  const double stays = 1;
  UpdateBetaPow(dev_ctx, in.beta1_pow, use_global_beta_pow ? stays : beta1.to<double>(), skip_update, out.beta1_pow);
  UpdateBetaPow(dev_ctx, in.beta2_pow, use_global_beta_pow ? stays : beta2.to<double>(), skip_update, out.beta2_pow);
}

// beta1_pow and beta2_pow hold beta1^t and beta2^t of this step t; their outputs those of the next step.
//   moment1_out = beta1 * moment1 + (1 - beta1) * grad
//   moment2_out = beta2 * moment2 + (1 - beta2) * grad^2
//   param_out = param - learning_rate / (1 - beta1_pow) * moment1_out / (sqrt(m / (1 - beta2_pow)) + epsilon)
// where m is moment2_out, with amsgrad max(moment2_max, moment2_out). lazy_mode and
// min_row_size_to_use_multithread are for sparse gradients.
template <typename T, typename Context>
void AdamKernel(const Context& dev_ctx,
                const DenseTensor& param,
                const DenseTensor& grad,
                const DenseTensor& learning_rate,
                const DenseTensor& moment1,
                const DenseTensor& moment2,
                const paddle::optional<DenseTensor>& moment2_max,
                const DenseTensor& beta1_pow,
                const DenseTensor& beta2_pow,
                const paddle::optional<DenseTensor>& master_param,
                const paddle::optional<DenseTensor>& skip_update,
                const Scalar& beta1,
                const Scalar& beta2,
                const Scalar& epsilon,
                bool lazy_mode,
                int64_t min_row_size_to_use_multithread,
                bool multi_precision,
                bool use_global_beta_pow,
                bool amsgrad,
                DenseTensor* param_out,
                DenseTensor* moment1_out,
                DenseTensor* moment2_out,
                DenseTensor* moment2_max_out,
                DenseTensor* beta1_pow_out,
                DenseTensor* beta2_pow_out,
                DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  UpdateAdam<T>(dev_ctx,
                {beta1.to<C>(), beta2.to<C>(), epsilon.to<C>(), amsgrad, multi_precision},
                beta1,
                beta2,
                use_global_beta_pow,
                skip_update ? skip_update->data<bool>() : nullptr,
                {param,
                 grad,
                 learning_rate,
                 moment1,
                 moment2,
                 moment2_max.get_ptr(),
                 beta1_pow,
                 beta2_pow,
                 master_param.get_ptr()},
                {param_out, moment1_out, moment2_out, moment2_max_out, beta1_pow_out, beta2_pow_out, master_param_out});
}

}  // namespace phi
