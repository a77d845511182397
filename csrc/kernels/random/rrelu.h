// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/elementwise.h"
#include "primitive/for_each.h"
#include "primitive/random.h"

namespace phi {

// What each element is multiplied by: 1 where it is not negative, else a number between both, which u chooses.
template <typename T>
struct RreluElement {
  using Real = primitive::ComputeType<T>;
  const T* from;
  T* to;
  T* factors;
  Real lower;
  Real range;
  HOSTDEVICE void operator()(int64_t i, Real u) const {
    const Real value = primitive::ToCompute(from[i]);
    factors[i] = primitive::Convert<T>(value < Real(0) ? lower + u * range : Real(1));
    to[i] = primitive::Convert<T>(value * primitive::ToCompute(factors[i]));
  }
};

template <typename T, typename Context>
void RreluKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 float lower,
                 float upper,
                 bool is_test,
                 DenseTensor* out,
                 DenseTensor* noise) {
  using Real = primitive::ComputeType<T>;
  const int64_t n = x.numel();
  const RreluElement<T> element{x.data<T>(),
                                dev_ctx.template Alloc<T>(out),
                                dev_ctx.template Alloc<T>(noise),
                                static_cast<Real>(lower),
                                static_cast<Real>(upper) - static_cast<Real>(lower)};
  if (n == 0) return;
  if (is_test) return primitive::ForEach(dev_ctx, n, [=] HOSTDEVICE(int64_t i) { element(i, Real(0.5)); });
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<Real>(n));
  primitive::ForEachUniform<Real>(dev_ctx, state, n, element);
}

struct RreluGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V noise, V out_grad) const {
    return noise * out_grad;
  }
};

template <typename T, typename Context>
void RreluGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& noise,
                     const DenseTensor& out_grad,
                     DenseTensor* x_grad) {
  primitive::ElementwiseBinary<T>(dev_ctx, noise, out_grad, x_grad, RreluGradFunctor());
}

}  // namespace phi
