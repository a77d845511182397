// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct RpropStep {
  C least;
  C most;
  C shrink;
  C grow;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& prev, V& rate, V& grad) const {
    const V zero(C(0)), one(C(1)), product = grad * prev;
    const V factor = math::Select(product > zero, V(grow), math::Select(product < zero, V(shrink), one));
    prev = math::Select(product < zero, zero, grad);
    rate = math::Minimum(math::Maximum(rate * factor, V(least)), V(most));
    const V sign = math::Select(prev > zero, one, math::Select(prev < zero, V(C(-1)), zero));
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - rate * sign, &param, &master);
  }
};

// Two numbers are read where the tensors lie.
template <typename C>
struct RpropFunctor {
  funcs::DeviceNumber least;
  funcs::DeviceNumber most;
  funcs::DeviceNumber shrink;
  funcs::DeviceNumber grow;
  bool has_master;
  HOSTDEVICE RpropStep<C> Prepare() const {
    return {
        static_cast<C>(least()), static_cast<C>(most()), static_cast<C>(shrink()), static_cast<C>(grow()), has_master};
  }
};

template <typename T, typename Context>
void RpropKernel(const Context& dev_ctx,
                 const DenseTensor& param,
                 const DenseTensor& grad,
                 const DenseTensor& prev,
                 const DenseTensor& learning_rate,
                 const paddle::optional<DenseTensor>& master_param,
                 const DenseTensor& learning_rate_range,
                 const DenseTensor& etas,
                 bool multi_precision,
                 DenseTensor* param_out,
                 DenseTensor* prev_out,
                 DenseTensor* learning_rate_out,
                 DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  const RpropFunctor<C> functor{funcs::DeviceNumber(learning_rate_range, 0),
                                funcs::DeviceNumber(learning_rate_range, 1),
                                funcs::DeviceNumber(etas, 0),
                                funcs::DeviceNumber(etas, 1),
                                multi_precision};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&prev, prev_out},
                             {&learning_rate, learning_rate_out},
                             grad);
}

}  // namespace phi
