// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/optimizer_streams.h"
#include "primitive/cast.h"

namespace phi {

template <typename C>
struct AsgdStep {
  C rate;  // learning_rate / n
  bool has_master;

  template <typename V>
  HOSTDEVICE void operator()(V& param, V& master, V& d, V& y, V& grad) const {
    d = d - y + grad;
    y = grad;
    funcs::StoreParam(has_master, funcs::MasterOr(has_master, master, param) - V(rate) * d, &param, &master);
  }
};

template <typename C>
struct AsgdFunctor {
  funcs::DeviceNumber learning_rate;
  funcs::DeviceNumber n;
  bool has_master;
  HOSTDEVICE AsgdStep<C> Prepare() const { return {static_cast<C>(learning_rate() / n()), has_master}; }
};

template <typename T, typename Context>
void AsgdKernel(const Context& dev_ctx,
                const DenseTensor& param,
                const DenseTensor& grad,
                const DenseTensor& learning_rate,
                const DenseTensor& d,
                const DenseTensor& y,
                const DenseTensor& n,
                const paddle::optional<DenseTensor>& master_param,
                bool multi_precision,
                DenseTensor* param_out,
                DenseTensor* d_out,
                DenseTensor* y_out,
                DenseTensor* master_param_out) {
  using C = primitive::ComputeType<T>;
  DenseTensor count = n;
  if (!IsFloatingType(n.dtype())) {
    count = primitive::EmptyTensor<double>(dev_ctx, n.dims());
    primitive::CastTo(dev_ctx, n, DataType::FLOAT64, &count);
  }
  const AsgdFunctor<C> functor{funcs::DeviceNumber(learning_rate), funcs::DeviceNumber(count), multi_precision};
  funcs::UpdateWithStates<T>(dev_ctx,
                             functor,
                             {&param, param_out},
                             {master_param.get_ptr(), master_param_out},
                             {&d, d_out},
                             {&y, y_out},
                             grad);
}

}  // namespace phi
