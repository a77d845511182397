// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/loop/check_probability.h"
#include "primitive/random.h"

namespace phi {

// 1 with the probability x, else 0.
template <typename T, typename Context>
void BernoulliKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const T* probabilities = x.data<T>();
  T* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = x.numel();
  if (n == 0) return;
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<C>(n));
  primitive::ForEachUniform<C>(dev_ctx, state, n, [=] HOSTDEVICE(int64_t i, C u) {
    const C p = primitive::ToCompute(probabilities[i]);
    primitive::CheckProbability("x", "probabilities in [0, 1]", p >= C(0) && p <= C(1), p);
    data[i] = primitive::Convert<T>(C(u < p));
  });
}

}  // namespace phi
