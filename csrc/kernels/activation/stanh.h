// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/math.h"

namespace phi {

template <typename T>
struct StanhFunctor {
  using C = decltype(math::Real(math::Floating(T())));
  StanhFunctor(double scale_a, double scale_b) : scale_a(static_cast<C>(scale_a)), scale_b(static_cast<C>(scale_b)) {}

  template <typename V>
  HOSTDEVICE auto operator()(V given) const {
    const auto x = math::Floating(given);
    using F = std::remove_const_t<decltype(x)>;
    return F(scale_b) * math::Tanh(F(scale_a) * x);
  }

  C scale_a;
  C scale_b;
};

template <typename T>
struct StanhGradFunctor {
  T scale_a;
  T scale_b;
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    const V tangent = math::Tanh(V(scale_a) * x);
    return dout * V(scale_a) * V(scale_b) * math::Conj(V(1) - tangent * tangent);
  }
};

}  // namespace phi
