// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/optimizer/adam.h"
#include "primitive/reduce.h"

namespace phi {

// Adam's step, with weight decay, before it is scaled to the parameter.
template <typename C>
struct LambMomentStep {
  C weight_decay;
  C beta1;
  C beta2;
  C epsilon;
  bool has_master;
  C moment1_correction = 1;  // 1 / (1 - beta1_pow)
  C moment2_correction = 1;
  bool skip = false;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment1, V& moment2, V& grad, V& step) const {
    if (skip) return;
    moment1 = V(beta1) * moment1 + V(C(1) - beta1) * grad;
    moment2 = V(beta2) * moment2 + V(C(1) - beta2) * grad * grad;
    step = V(moment1_correction) * moment1 / (math::Sqrt(V(moment2_correction) * moment2) + V(epsilon)) +
           V(weight_decay) * funcs::MasterOr(has_master, master, param);
  }
};

template <typename C>
struct LambMomentFunctor {
  funcs::DeviceNumber beta1_pow;
  funcs::DeviceNumber beta2_pow;
  const bool* skip_update;
  LambMomentStep<C> step;
  HOSTDEVICE LambMomentStep<C> Prepare() const {
    LambMomentStep<C> prepared = step;
    prepared.moment1_correction = static_cast<C>(1 / (1 - beta1_pow()));
    prepared.moment2_correction = static_cast<C>(1 / (1 - beta2_pow()));
    prepared.skip = skip_update != nullptr && *skip_update;
    return prepared;
  }
};

template <typename C>
struct LambParamStep {
  C rate;
  bool has_master;
  bool skip;
  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& step) const {
    if (skip) return;
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - V(rate) * step, &param, &master);
  }
};

// The rate grows with the norm of the parameter, and falls with that of the step, where `adapts`.
template <typename C>
struct LambParamFunctor {
  funcs::DeviceNumber learning_rate;
  const C* param_norm;
  const C* step_norm;
  bool adapts;
  bool has_master;
  const bool* skip_update;
  HOSTDEVICE LambParamStep<C> Prepare() const {
    const bool scales = adapts && *param_norm > C(0) && *step_norm > C(0);
    const C rate = static_cast<C>(learning_rate());
    const bool skip = skip_update != nullptr && *skip_update;
    return {scales ? rate * (*param_norm / *step_norm) : rate, has_master, skip};
  }
};

struct LambSquare {
  template <typename V>
  HOSTDEVICE V operator()(V x) const {
    return x * x;
  }
};

template <typename T, typename Context>
void LambKernel(const Context& dev_ctx,
                const DenseTensor& param,
                const DenseTensor& grad,
                const DenseTensor& learning_rate,
                const DenseTensor& moment1,
                const DenseTensor& moment2,
                const DenseTensor& beta1_pow,
                const DenseTensor& beta2_pow,
                const paddle::optional<DenseTensor>& master_param,
                const paddle::optional<DenseTensor>& skip_update,
                float weight_decay,
                float beta1,
                float beta2,
                float epsilon,
                bool always_adapt,
                bool multi_precision,
                DenseTensor* param_out,
                DenseTensor* moment1_out,
                DenseTensor* moment2_out,
                DenseTensor* beta1_pow_out,
                DenseTensor* beta2_pow_out,
                DenseTensor* master_param_outs) {
  using C = primitive::ComputeType<T>;
  using primitive::AxisSet;
  using primitive::NormOp;
  const bool* skip = skip_update ? skip_update->template data<bool>() : nullptr;
  const int64_t n = param.numel();
  DenseTensor step, param_norm, step_norm;
  step.Resize(param.dims());
  param_norm.Resize({});
  step_norm.Resize({});
  dev_ctx.template Alloc<C>(&step);
  // before anything is written to it
  multi_precision ? primitive::Reduce<C, C, NormOp>(dev_ctx, *master_param, AxisSet(), &param_norm, LambSquare())
                  : primitive::Reduce<T, C, NormOp>(dev_ctx, param, AxisSet(), &param_norm, LambSquare());
  const auto p = funcs::MakeStream<T>(dev_ctx, param, param_out);
  const auto master = funcs::MakeOptionalStream<C>(dev_ctx, master_param.get_ptr(), master_param_outs);
  const LambMomentFunctor<C> moments{funcs::DeviceNumber(beta1_pow),
                                     funcs::DeviceNumber(beta2_pow),
                                     skip,
                                     {C(weight_decay), C(beta1), C(beta2), C(epsilon), multi_precision}};
  const funcs::UpdateStream<C> steps{step.data<C>(), step.data<C>()};
  funcs::WithTypeOf<T>(moment1, [&](auto type) {
    using M = decltype(type);
    const auto m1 = funcs::MakeStream<M>(dev_ctx, moment1, moment1_out);
    const auto m2 = funcs::MakeStream<M>(dev_ctx, moment2, moment2_out);
    funcs::WithGrad<T>(grad,
                       [&](auto g) { funcs::UpdateElements<C>(dev_ctx, n, moments, p, master, m1, m2, g, steps); });
  });
  primitive::Reduce<C, C, NormOp>(dev_ctx, step, AxisSet(), &step_norm, LambSquare());
  const LambParamFunctor<C> params{funcs::DeviceNumber(learning_rate),
                                   param_norm.data<C>(),
                                   step_norm.data<C>(),
                                   weight_decay > 0 || always_adapt,
                                   multi_precision,
                                   skip};
  funcs::UpdateElements<C>(dev_ctx, n, params, p, master, funcs::UpdateStream<const C>{step.data<C>()});
  UpdateBetaPow(dev_ctx, beta1_pow, beta1, skip, beta1_pow_out);
  UpdateBetaPow(dev_ctx, beta2_pow, beta2, skip, beta2_pow_out);
}

}  // namespace phi
