// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct MomentumStep {
  C learning_rate;
  C mu;
  C l2_decay;
  C rescale_grad;
  bool use_nesterov;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& velocity, V& grad) const {
    const V current = funcs::MasterOr(has_master, master, param);
    const V g = grad * V(rescale_grad) + V(l2_decay) * current;
    velocity = velocity * V(mu) + g;
    const V direction = use_nesterov ? g + velocity * V(mu) : velocity;
    funcs::StoreParam(has_master, current - V(learning_rate) * direction, &param, &master);
  }
};

template <typename C>
struct MomentumFunctor {
  funcs::DeviceNumber learning_rate;
  MomentumStep<C> step;
  HOSTDEVICE MomentumStep<C> Prepare() const {
    MomentumStep<C> prepared = step;
    prepared.learning_rate = static_cast<C>(learning_rate());
    return prepared;
  }
};

// `master_param` and its output may be null.
template <typename T, typename Context>
void UpdateMomentum(const Context& dev_ctx,
                    const MomentumStep<primitive::ComputeType<T>>& step,
                    const DenseTensor& param,
                    const DenseTensor& grad,
                    const DenseTensor& velocity,
                    const DenseTensor& learning_rate,
                    const DenseTensor* master_param,
                    DenseTensor* param_out,
                    DenseTensor* velocity_out,
                    DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const MomentumFunctor<C> functor{funcs::DeviceNumber(learning_rate), step};
  const auto p = funcs::MakeStream<T>(dev_ctx, param, param_out);
  funcs::WithMaster<C>(dev_ctx, master_param, master_param_out, [&](auto master) {
    funcs::WithTypeOf<T>(velocity, [&](auto type) {
      const auto v = funcs::MakeStream<decltype(type)>(dev_ctx, velocity, velocity_out);
      funcs::WithGrad<T>(grad,
                         [&](auto g) { funcs::UpdateElements<C>(dev_ctx, param.numel(), functor, p, master, v, g); });
    });
  });
}

// With g = rescale_grad * grad (+ regularization_coeff * param for "l2_decay"):
//   velocity_out = mu * velocity + g
//   param_out = param - learning_rate * (use_nesterov ? g + mu * velocity_out : velocity_out)
template <typename T, typename Context>
void MomentumKernel(const Context& dev_ctx,
                    const DenseTensor& param,
                    const DenseTensor& grad,
                    const DenseTensor& velocity,
                    const DenseTensor& learning_rate,
                    const paddle::optional<DenseTensor>& master_param,
                    float mu,
                    bool use_nesterov,
                    const std::string& regularization_method,
                    float regularization_coeff,
                    bool multi_precision,
                    float rescale_grad,
                    DenseTensor* param_out,
                    DenseTensor* velocity_out,
                    DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const C l2_decay = regularization_method == "l2_decay" ? regularization_coeff : 0;
  const MomentumStep<C> step{C(0), C(mu), l2_decay, C(rescale_grad), use_nesterov, multi_precision};
  const DenseTensor* master = master_param.get_ptr();
  UpdateMomentum<T>(
      dev_ctx, step, param, grad, velocity, learning_rate, master, param_out, velocity_out, master_param_out);
}

}  // namespace phi
