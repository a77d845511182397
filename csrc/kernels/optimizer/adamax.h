// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct AdamaxStep {
  C learning_rate;
  C beta1;
  C beta2;
  C epsilon;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment, V& inf_norm, V& grad) const {
    moment = V(beta1) * moment + V(C(1) - beta1) * grad;
    inf_norm = math::Maximum(math::Abs(grad), V(beta2) * inf_norm + V(epsilon));
    const V step = V(learning_rate) * moment / inf_norm;
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - step, &param, &master);
  }
};

template <typename C>
struct AdamaxFunctor {
  funcs::DeviceNumber learning_rate;
  funcs::DeviceNumber beta1_pow;
  AdamaxStep<C> step;
  HOSTDEVICE AdamaxStep<C> Prepare() const {
    AdamaxStep<C> prepared = step;
    prepared.learning_rate = static_cast<C>(learning_rate() / (1 - beta1_pow()));
    return prepared;
  }
};

//   moment_out = beta1 * moment + (1 - beta1) * grad, inf_norm_out = max(|grad|, beta2 * inf_norm + epsilon)
//   param_out = param - learning_rate / (1 - beta1_pow) * moment_out / inf_norm_out
template <typename T, typename Context>
void AdamaxKernel(const Context& dev_ctx,
                  const DenseTensor& param,
                  const DenseTensor& grad,
                  const DenseTensor& learning_rate,
                  const DenseTensor& moment,
                  const DenseTensor& inf_norm,
                  const DenseTensor& beta1_pow,
                  const paddle::optional<DenseTensor>& master_param,
                  float beta1,
                  float beta2,
                  float epsilon,
                  bool multi_precision,
                  DenseTensor* param_out,
                  DenseTensor* moment_out,
                  DenseTensor* inf_norm_out,
                  DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const AdamaxFunctor<C> functor{funcs::DeviceNumber(learning_rate),
                                 funcs::DeviceNumber(beta1_pow),
                                 {C(0), C(beta1), C(beta2), C(epsilon), multi_precision}};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&moment, moment_out},
                             {&inf_norm, inf_norm_out},
                             grad);
}

}  // namespace phi
