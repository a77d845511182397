// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/funcs/optimizer_numbers.h"
#include "kernels/funcs/optimizer_streams.h"

namespace phi {

// The numbers of this step, of those of the step before.
struct NAdamNumbers {
  funcs::DeviceNumber momentum_decay_pow;
  funcs::DeviceNumber beta2_pow;
  funcs::DeviceNumber mu_product;
  double beta1;
  double beta2;
  double momentum_decay;

  struct Values {
    double decay_pow, beta2_pow, product, mu, next_mu;
  };
  HOSTDEVICE Values operator()() const {
    constexpr double kBase = 0.96;
    const double decay_pow = momentum_decay_pow() * kBase, decayed = std::pow(decay_pow, momentum_decay);
    const double mu = beta1 * (1 - 0.5 * decayed);
    const double next_mu = beta1 * (1 - 0.5 * decayed * std::pow(kBase, momentum_decay));
    return {decay_pow, beta2_pow() * beta2, mu_product() * mu, mu, next_mu};
  }
  HOSTDEVICE funcs::SetNumbers Prepare() const {
    const Values values = (*this)();
    return {values.decay_pow, values.beta2_pow, values.product};
  }
};

template <typename C>
struct NAdamStep {
  C beta1;
  C beta2;
  C epsilon;
  bool has_master;
  C moment_factor = 0;       // learning_rate * next_mu / (1 - mu_product * next_mu)
  C grad_factor = 0;         // learning_rate * (1 - mu) / (1 - mu_product)
  C moment2_correction = 0;  // 1 / sqrt(1 - beta2_pow)

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment1, V& moment2, V& grad) const {
    moment1 = V(beta1) * moment1 + V(C(1) - beta1) * grad;
    moment2 = V(beta2) * moment2 + V(C(1) - beta2) * grad * grad;
    const V denominator = math::Sqrt(moment2) * V(moment2_correction) + V(epsilon);
    const V step = (V(moment_factor) * moment1 + V(grad_factor) * grad) / denominator;
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - step, &param, &master);
  }
};

template <typename C>
struct NAdamFunctor {
  funcs::DeviceNumber learning_rate;
  NAdamNumbers numbers;
  NAdamStep<C> step;
  HOSTDEVICE NAdamStep<C> Prepare() const {
    NAdamStep<C> prepared = step;
    const auto now = numbers();
    const double rate = learning_rate();
    prepared.moment_factor = static_cast<C>(rate * now.next_mu / (1 - now.product * now.next_mu));
    prepared.grad_factor = static_cast<C>(rate * (1 - now.mu) / (1 - now.product));
    prepared.moment2_correction = static_cast<C>(1 / std::sqrt(1 - now.beta2_pow));
    return prepared;
  }
};

template <typename T, typename Context>
void NadamKernel(const Context& dev_ctx,
                 const DenseTensor& param,
                 const DenseTensor& grad,
                 const DenseTensor& learning_rate,
                 const DenseTensor& momentum_decay_pow,
                 const DenseTensor& beta2_pow,
                 const DenseTensor& mu_product,
                 const DenseTensor& moment1,
                 const DenseTensor& moment2,
                 const paddle::optional<DenseTensor>& master_param,
                 float beta1,
                 float beta2,
                 float epsilon,
                 float momentum_decay,
                 bool multi_precision,
                 DenseTensor* param_out,
                 DenseTensor* momentum_decay_pow_out,
                 DenseTensor* beta2_pow_out,
                 DenseTensor* mu_product_out,
                 DenseTensor* moment1_out,
                 DenseTensor* moment2_out,
                 DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const NAdamNumbers numbers{funcs::DeviceNumber(momentum_decay_pow),
                             funcs::DeviceNumber(beta2_pow),
                             funcs::DeviceNumber(mu_product),
                             beta1,
                             beta2,
                             momentum_decay};
  const NAdamFunctor<C> functor{
      funcs::DeviceNumber(learning_rate), numbers, {C(beta1), C(beta2), C(epsilon), multi_precision}};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&moment1, moment1_out},
                             {&moment2, moment2_out},
                             grad);
  // after the update, which reads those of the step before
  funcs::UpdateNumbers(dev_ctx,
                       numbers,
                       {&momentum_decay_pow, &beta2_pow, &mu_product},
                       {momentum_decay_pow_out, beta2_pow_out, mu_product_out});
}

}  // namespace phi
