// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"

namespace phi {

template <typename C>
struct RmspropStep {
  C learning_rate;
  C epsilon;
  C decay;
  C momentum;
  bool centered;
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& mean_square, V& moment, V& mean_grad, V& grad) const {
    mean_square = V(decay) * mean_square + V(C(1) - decay) * grad * grad;
    V variance = mean_square;
    if (centered) {
      mean_grad = V(decay) * mean_grad + V(C(1) - decay) * grad;
      variance = mean_square - mean_grad * mean_grad;
    }
    moment = V(momentum) * moment + V(learning_rate) * grad / math::Sqrt(variance + V(epsilon));
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - moment, &param, &master);
  }
};

template <typename C>
struct RmspropFunctor {
  funcs::DeviceNumber learning_rate;
  RmspropStep<C> step;
  HOSTDEVICE RmspropStep<C> Prepare() const {
    RmspropStep<C> prepared = step;
    prepared.learning_rate = static_cast<C>(learning_rate());
    return prepared;
  }
};

//   mean_square_out = decay * mean_square + (1 - decay) * grad^2, mean_grad_out likewise of grad
//   moment_out = momentum * moment + learning_rate * grad / sqrt(v + epsilon), param_out = param - moment_out
// where v is mean_square_out, or if `centered` mean_square_out - mean_grad_out^2.
template <typename T, typename Context>
void RmspropKernel(const Context& dev_ctx,
                   const DenseTensor& param,
                   const DenseTensor& mean_square,
                   const DenseTensor& grad,
                   const DenseTensor& moment,
                   const DenseTensor& learning_rate,
                   const paddle::optional<DenseTensor>& mean_grad,
                   const paddle::optional<DenseTensor>& master_param,
                   float epsilon,
                   float decay,
                   float momentum,
                   bool centered,
                   bool multi_precision,
                   DenseTensor* param_out,
                   DenseTensor* moment_out,
                   DenseTensor* mean_square_out,
                   DenseTensor* mean_grad_out,
                   DenseTensor* master_param_outs) {
  using C = primitive::ComputeType<T>;
  const RmspropFunctor<C> functor{funcs::DeviceNumber(learning_rate),
                                  {C(0), C(epsilon), C(decay), C(momentum), centered, multi_precision}};
  const auto p = funcs::MakeStream<T>(dev_ctx, param, param_out);
  const auto master = funcs::MakeOptionalStream<C>(dev_ctx, master_param.get_ptr(), master_param_outs);
  funcs::WithTypeOf<T>(mean_square, [&](auto type) {
    using M = decltype(type);
    const auto square = funcs::MakeStream<M>(dev_ctx, mean_square, mean_square_out);
    const auto m = funcs::MakeStream<M>(dev_ctx, moment, moment_out);
    const auto mean = funcs::MakeOptionalStream<M>(dev_ctx, mean_grad.get_ptr(), mean_grad_out);
    funcs::WithGrad<T>(grad, [&](auto g) {
      funcs::UpdateElements<C>(dev_ctx, param.numel(), functor, p, master, square, m, mean, g);
    });
  });
}

}  // namespace phi
