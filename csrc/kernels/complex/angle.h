// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "primitive/elementwise.h"
#include "primitive/memset.h"

namespace phi {

struct AngleFunctor {
  template <typename V>
  HOSTDEVICE auto operator()(V x) const {
    if constexpr (dtype::is_complex_v<V>) {
      return math::Atan2(x.imag(), x.real());
    } else {
      return math::Select(x == x, math::Select(x < V(0), V(std::numbers::pi), V(0)), x);
    }
  }
};

namespace detail {

struct ComplexAngleGradFunctor {  // across the direction of x
  template <typename V, typename R>
  HOSTDEVICE V operator()(V x, R dout) const {
    const R square = x.real() * x.real() + x.imag() * x.imag();
    return x == V(0) ? V(0) : V(-dout * x.imag() / square, dout * x.real() / square);
  }
};

}  // namespace detail

template <typename T, typename Context>
void AngleGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  if constexpr (dtype::is_complex_v<T>) {
    primitive::Elementwise<T, T, typename dtype::RealTypeTrait<T>::Type>(
        dev_ctx, x_grad, detail::ComplexAngleGradFunctor(), x, out_grad);
  } else {
    dev_ctx.template Alloc<T>(x_grad);
    primitive::SetZero(dev_ctx, x_grad);
  }
}

}  // namespace phi
