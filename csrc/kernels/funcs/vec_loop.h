// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>

#include "primitive/cpu/simd.h"

// Loops over a row of contiguous elements in SIMD vectors (CPU). A function gets and gives vectors of the type that
// kernels compute in: float for half types.
namespace phi::funcs {

template <typename T>
using Acc = primitive::ComputeType<T>;
template <typename T>
using Vec = at::vec::Vectorized<Acc<T>>;

// How many elements are worth a thread, and how many rows of `size` elements.
inline constexpr int64_t kGrain = 32768;
inline int64_t RowGrain(int64_t size) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, size)); }

namespace detail {

template <typename Pair, typename F, typename... Pairs>
Pair Apply(const F& f, const Pairs&... in) {
  return {f(in.lo...), f(in.hi...)};
}

}  // namespace detail

// dst[i] = f(src[i]...). dst may be one of the sources.
template <typename Dst, typename F, typename... Src>
void VecMap(int64_t n, Dst* dst, const F& f, const Src*... src) {
  using Pair = primitive::detail::SimdPair<Acc<Dst>>;
  int64_t i = 0;
  for (; i + Pair::kSize <= n; i += Pair::kSize) detail::Apply<Pair>(f, Pair::Load(src + i)...).Store(dst + i);
  if (i < n) detail::Apply<Pair>(f, Pair::Load(src + i, n - i)...).Store(dst + i, n - i);
}

// combine over all f(src[i]...), beginning with `init`.
template <typename C, typename Combine, typename F, typename... Src>
C VecReduce(int64_t n, C init, const Combine& combine, const F& f, const Src*... src) {
  using Pair = primitive::detail::SimdPair<C>;
  using V = typename Pair::Vec;
  constexpr int64_t kChains = 2;  // pairs in flight: hides the latency of `combine`
  Pair acc[kChains] = {{V(init), V(init)}, {V(init), V(init)}};
  const auto add = [&](Pair& sum, const Pair& value) {
    sum.lo = combine(sum.lo, value.lo);
    sum.hi = combine(sum.hi, value.hi);
  };
  int64_t i = 0;
  for (; i + kChains * Pair::kSize <= n; i += kChains * Pair::kSize) {
    add(acc[0], detail::Apply<Pair>(f, Pair::Load(src + i)...));
    add(acc[1], detail::Apply<Pair>(f, Pair::Load(src + i + Pair::kSize)...));
  }
  for (; i + Pair::kSize <= n; i += Pair::kSize) add(acc[0], detail::Apply<Pair>(f, Pair::Load(src + i)...));
  if (const int64_t rest = n - i; rest > 0) {
    const Pair value = detail::Apply<Pair>(f, Pair::Load(src + i, rest)...);
    Pair& last = acc[1];
    last.lo = V::set(last.lo, combine(last.lo, value.lo), std::min<int64_t>(rest, V::size()));
    if (rest > V::size()) last.hi = V::set(last.hi, combine(last.hi, value.hi), rest - V::size());
  }
  add(acc[0], acc[1]);
  return at::vec::vec_reduce_all<C>(combine, combine(acc[0].lo, acc[0].hi));
}

template <typename T, typename F, typename... Src>
Acc<T> VecSum(int64_t n, const F& f, const T* first, const Src*... src) {
  return VecReduce<Acc<T>>(n, Acc<T>(0), [](const Vec<T>& a, const Vec<T>& b) { return a + b; }, f, first, src...);
}

template <typename T>
Acc<T> VecSum(int64_t n, const T* x) {
  return VecSum(n, [](const Vec<T>& v) { return v; }, x);
}

}  // namespace phi::funcs
