// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct AdagradStep {
  C learning_rate;
  C epsilon;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& moment, V& grad) const {
    moment = moment + grad * grad;
    const V step = V(learning_rate) * grad / (math::Sqrt(moment) + V(epsilon));
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - step, &param, &master);
  }
};

template <typename C>
struct AdagradFunctor {
  funcs::DeviceNumber learning_rate;
  C epsilon;
  bool has_master;
  HOSTDEVICE AdagradStep<C> Prepare() const { return {static_cast<C>(learning_rate()), epsilon, has_master}; }
};

// moment_out = moment + grad^2, param_out = param - learning_rate * grad / (sqrt(moment_out) + epsilon)
template <typename T, typename Context>
void AdagradKernel(const Context& dev_ctx,
                   const DenseTensor& param,
                   const DenseTensor& grad,
                   const DenseTensor& moment,
                   const DenseTensor& learning_rate,
                   const paddle::optional<DenseTensor>& master_param,
                   float epsilon,
                   bool multi_precision,
                   DenseTensor* param_out,
                   DenseTensor* moment_out,
                   DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const AdagradFunctor<C> functor{funcs::DeviceNumber(learning_rate), C(epsilon), multi_precision};
  const auto p = funcs::MakeStream<T>(dev_ctx, param, param_out);
  const auto master = funcs::MakeOptionalStream<C>(dev_ctx, master_param.get_ptr(), master_param_out);
  funcs::WithTypeOf<T>(moment, [&](auto type) {
    const auto m = funcs::MakeStream<decltype(type)>(dev_ctx, moment, moment_out);
    funcs::WithGrad<T>(grad,
                       [&](auto g) { funcs::UpdateElements<C>(dev_ctx, param.numel(), functor, p, master, m, g); });
  });
}

}  // namespace phi
