// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct AdadeltaStep {
  C learning_rate;
  C rho;
  C epsilon;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& squared_grad, V& squared_update, V& grad) const {
    squared_grad = V(rho) * squared_grad + V(C(1) - rho) * grad * grad;
    const V update = math::Sqrt((squared_update + V(epsilon)) / (squared_grad + V(epsilon))) * grad;
    squared_update = V(rho) * squared_update + V(C(1) - rho) * update * update;
    const V step = V(learning_rate) * update;
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - step, &param, &master);
  }
};

template <typename C>
struct AdadeltaFunctor {
  funcs::DeviceNumber learning_rate;
  AdadeltaStep<C> step;
  HOSTDEVICE AdadeltaStep<C> Prepare() const {
    AdadeltaStep<C> prepared = step;
    prepared.learning_rate = static_cast<C>(learning_rate());
    return prepared;
  }
};

//   moment_out = rho * avg_squared_grad + (1 - rho) * grad^2
//   update = sqrt((avg_squared_update + epsilon) / (moment_out + epsilon)) * grad
//   inf_norm_out = rho * avg_squared_update + (1 - rho) * update^2, param_out = param - learning_rate * update
template <typename T, typename Context>
void AdadeltaKernel(const Context& dev_ctx,
                    const DenseTensor& param,
                    const DenseTensor& grad,
                    const DenseTensor& avg_squared_grad,
                    const DenseTensor& avg_squared_update,
                    const DenseTensor& learning_rate,
                    const paddle::optional<DenseTensor>& master_param,
                    float rho,
                    float epsilon,
                    bool multi_precision,
                    DenseTensor* param_out,
                    DenseTensor* moment_out,
                    DenseTensor* inf_norm_out,
                    DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const AdadeltaFunctor<C> functor{funcs::DeviceNumber(learning_rate), {C(0), C(rho), C(epsilon), multi_precision}};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&avg_squared_grad, moment_out},
                             {&avg_squared_update, inf_norm_out},
                             grad);
}

}  // namespace phi
