// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/loop/philox.h"

#ifdef PHI_DEVICE_CODE
#include "primitive/gpu/random.cuh"
#else
#include "primitive/cpu/random.h"
#endif

namespace phi::primitive {

// Calls f(i, u) for i in [0, n), in any order and in parallel, with u uniform in [0, 1), float or double. `state`
// stands for PhiloxCounters<Real>(n) counters; u depends on it and on i alone. f is HOSTDEVICE.
template <typename Real, typename Context, typename Function>
void ForEachUniform(const Context& dev_ctx, const PhiloxState& state, int64_t n, const Function& f) {
  detail::RunUniform<Real>(dev_ctx, state, n, f);
}

// out[i] = functor(u) for i in [0, n), with the same numbers; the functor is one of primitive/elementwise.h.
template <typename Real, typename T, typename Context, typename Functor>
void FillUniform(const Context& dev_ctx, const PhiloxState& state, int64_t n, const Functor& functor, T* out) {
  detail::FillRandom<false, T, Real>(dev_ctx, state, n, functor, out);
}

// The same with standard normal numbers.
template <typename Real, typename T, typename Context, typename Functor>
void FillNormal(const Context& dev_ctx, const PhiloxState& state, int64_t n, const Functor& functor, T* out) {
  detail::FillRandom<true, T, Real>(dev_ctx, state, n, functor, out);
}

}  // namespace phi::primitive
