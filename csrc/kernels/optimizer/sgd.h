// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct SgdStep {
  C learning_rate;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& grad) const {
    const V updated = funcs::MasterOr(has_master, master, param) - V(learning_rate) * grad;
    funcs::StoreParam(has_master, updated, &param, &master);
  }
};

template <typename C>
struct SgdFunctor {
  funcs::DeviceNumber learning_rate;
  bool has_master;
  HOSTDEVICE SgdStep<C> Prepare() const { return {static_cast<C>(learning_rate()), has_master}; }
};

// param_out = param - learning_rate * grad, on master_param where there is one.
template <typename T, typename Context>
void SgdKernel(const Context& dev_ctx,
               const DenseTensor& param,
               const DenseTensor& learning_rate,
               const DenseTensor& grad,
               const paddle::optional<DenseTensor>& master_param,
               bool multi_precision,
               DenseTensor* param_out,
               DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const SgdFunctor<C> functor{funcs::DeviceNumber(learning_rate), multi_precision};
  const auto p = funcs::MakeStream<T>(dev_ctx, param, param_out);
  funcs::WithMaster<C>(dev_ctx, master_param.get_ptr(), master_param_out, [&](auto master) {
    funcs::WithGrad<T>(grad, [&](auto g) { funcs::UpdateElements<C>(dev_ctx, param.numel(), functor, p, master, g); });
  });
}

}  // namespace phi
