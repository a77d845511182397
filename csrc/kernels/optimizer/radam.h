// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/funcs/optimizer_numbers.h"
#include "kernels/funcs/optimizer_streams.h"

namespace phi {

// The numbers of this step, of those of the step before.
struct RAdamNumbers {
  funcs::DeviceNumber beta1_pow;
  funcs::DeviceNumber beta2_pow;
  funcs::DeviceNumber rho;
  double beta1;
  double beta2;

  HOSTDEVICE funcs::SetNumbers Prepare() const {
    const double pow2 = beta2_pow() * beta2;
    return {beta1_pow() * beta1, pow2, (rho() * (beta2 - pow2) + pow2) / (1 - pow2)};
  }
};

template <typename C>
struct RAdamStep {
  C beta1;
  C beta2;
  C epsilon;
  bool has_master;
  bool is_rectified = false;
  C step_size = 0;  // learning_rate / (1 - beta1_pow), rectified times the variance's root

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment1, V& moment2, V& grad) const {
    moment1 = V(beta1) * moment1 + V(C(1) - beta1) * grad;
    moment2 = V(beta2) * moment2 + V(C(1) - beta2) * grad * grad;
    V step = V(step_size) * moment1;
    if (is_rectified) step = step / (math::Sqrt(moment2) + V(epsilon));
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - step, &param, &master);
  }
};

template <typename C>
struct RAdamFunctor {
  funcs::DeviceNumber learning_rate;
  RAdamNumbers numbers;
  RAdamStep<C> step;
  HOSTDEVICE RAdamStep<C> Prepare() const {
    RAdamStep<C> prepared = step;
    const funcs::SetNumbers now = numbers.Prepare();
    const double most = 2 / (1 - numbers.beta2) - 1, length = most - 2 * now.third;
    double size = learning_rate() / (1 - now.first);
    prepared.is_rectified = length > 5;
    if (prepared.is_rectified) {
      size *= std::sqrt((length - 4) * (length - 2) * most / ((most - 4) * (most - 2) * length) * (1 - now.second));
    }
    prepared.step_size = static_cast<C>(size);
    return prepared;
  }
};

template <typename T, typename Context>
void RadamKernel(const Context& dev_ctx,
                 const DenseTensor& param,
                 const DenseTensor& grad,
                 const DenseTensor& learning_rate,
                 const DenseTensor& beta1_pow,
                 const DenseTensor& beta2_pow,
                 const DenseTensor& rho,
                 const DenseTensor& moment1,
                 const DenseTensor& moment2,
                 const paddle::optional<DenseTensor>& master_param,
                 float beta1,
                 float beta2,
                 float epsilon,
                 bool multi_precision,
                 DenseTensor* param_out,
                 DenseTensor* beta1_pow_out,
                 DenseTensor* beta2_pow_out,
                 DenseTensor* rho_out,
                 DenseTensor* moment1_out,
                 DenseTensor* moment2_out,
                 DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const RAdamNumbers numbers{
      funcs::DeviceNumber(beta1_pow), funcs::DeviceNumber(beta2_pow), funcs::DeviceNumber(rho), beta1, beta2};
  const RAdamFunctor<C> functor{
      funcs::DeviceNumber(learning_rate), numbers, {C(beta1), C(beta2), C(epsilon), multi_precision}};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&moment1, moment1_out},
                             {&moment2, moment2_out},
                             grad);
  // after the update, which reads those of the step before
  funcs::UpdateNumbers(dev_ctx, numbers, {&beta1_pow, &beta2_pow, &rho}, {beta1_pow_out, beta2_pow_out, rho_out});
}

}  // namespace phi
