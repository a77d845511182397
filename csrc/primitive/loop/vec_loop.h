// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "common/ceil_div.h"
#include "primitive/cpu/simd.h"

// Loops over a row of contiguous elements in SIMD vectors (CPU). A function gets and gives vectors of the type that
// kernels compute in: float for half types.
namespace phi::primitive {

template <typename T>
using Vec = at::vec::Vectorized<Acc<T>>;

// How many elements are worth a thread, and how many rows of `size` elements.
inline constexpr int64_t kGrain = 32768;
inline int64_t RowGrain(int64_t size) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, size)); }

// Asks for a row that is read soon, while the arithmetic of another one goes on: memory idles between rows otherwise.
template <typename T>
void Prefetch(int64_t n, const T* row) {
  constexpr int64_t kMost = 1 << 13;
  const int64_t bytes = std::min<int64_t>(n * static_cast<int64_t>(sizeof(T)), kMost);
  for (int64_t i = 0; i < bytes; i += kLine) __builtin_prefetch(reinterpret_cast<const char*>(row) + i);
}

namespace detail {

template <typename Pair, typename F, typename... Pairs>
Pair Apply(const F& f, const Pairs&... in) {
  return {f(in.lo...), f(in.hi...)};
}

// sum = combine(sum, value) in the first n lanes.
template <typename Pair, typename Combine>
void CombineFirst(Pair& sum, const Pair& value, int64_t n, const Combine& combine) {
  using V = typename Pair::Vec;
  sum.lo = V::set(sum.lo, combine(sum.lo, value.lo), std::min<int64_t>(n, V::size()));
  if (n > V::size()) sum.hi = V::set(sum.hi, combine(sum.hi, value.hi), n - V::size());
}

}  // namespace detail

struct VecAdd {
  template <typename V>
  V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

// dst[i] = f(src[i]...). dst may be one of the sources.
template <typename Dst, typename F, typename... Src>
void VecMap(int64_t n, Dst* dst, const F& f, const Src*... src) {
  using Pair = primitive::detail::SimdPair<Acc<Dst>>;
  int64_t i = 0;
  for (; i + Pair::kSize <= n; i += Pair::kSize) detail::Apply<Pair>(f, Pair::Load(src + i)...).Store(dst + i);
  if (i < n) detail::Apply<Pair>(f, Pair::Load(src + i, n - i)...).Store(dst + i, n - i);
}

// The same. With `stream`, which is primitive::detail::Streams, past the caches; the caller ends the stream.
template <typename Dst, typename F, typename... Src>
void VecWrite(int64_t n, Dst* dst, bool stream, const F& f, const Src*... src) {
  using Pair = primitive::detail::SimdPair<Acc<Dst>>;
  constexpr int64_t kBytes = sizeof(Dst);
  if (!stream || n < 2 * Pair::kSize) return VecMap(n, dst, f, src...);
  int64_t i = primitive::detail::ToLine(dst, std::min(kLine, Pair::kSize * kBytes)) / kBytes;
  if (i > 0) detail::Apply<Pair>(f, Pair::Load(src, i)...).Store(dst, i);
  for (; i + Pair::kSize <= n; i += Pair::kSize) detail::Apply<Pair>(f, Pair::Load(src + i)...).Stream(dst + i);
  if (i < n) detail::Apply<Pair>(f, Pair::Load(src + i, n - i)...).Store(dst + i, n - i);
}

// Elements whose sum lanes take one after the other. The sums of longer rows are taken pairwise.
inline constexpr int64_t kSumRun = 16384;
inline int64_t HalfRun(int64_t n) { return RoundUp(n / 2, kSumRun); }

// As VecMap; returns the sum of the f(src[i]...).
template <typename Dst, typename F, typename... Src>
Acc<Dst> VecMapSum(int64_t n, Dst* dst, const F& f, const Src*... src) {
  if (n > kSumRun) {
    const int64_t half = HalfRun(n);
    const Acc<Dst> first = VecMapSum(half, dst, f, src...);
    return first + VecMapSum(n - half, dst + half, f, (src + half)...);
  }
  using Pair = primitive::detail::SimdPair<Acc<Dst>>;
  using V = Vec<Dst>;
  Pair sum = {V(0), V(0)};
  int64_t i = 0;
  for (; i + Pair::kSize <= n; i += Pair::kSize) {
    const Pair value = detail::Apply<Pair>(f, Pair::Load(src + i)...);
    value.Store(dst + i);
    sum = {sum.lo + value.lo, sum.hi + value.hi};
  }
  if (const int64_t rest = n - i; rest > 0) {
    const Pair value = detail::Apply<Pair>(f, Pair::Load(src + i, rest)...);
    value.Store(dst + i, rest);
    detail::CombineFirst(sum, value, rest, VecAdd());
  }
  return at::vec::vec_reduce_all<Acc<Dst>>(VecAdd(), sum.lo + sum.hi);
}

// (dst0[i], dst1[i]) = f(src[i]...), a std::pair. dst0 and dst1 may be sources.
template <typename Dst, typename F, typename... Src>
void VecMapBoth(int64_t n, Dst* dst0, Dst* dst1, const F& f, const Src*... src) {
  using Pair = primitive::detail::SimdPair<Acc<Dst>>;
  const auto apply = [&f](const auto&... in) {
    const auto lo = f(in.lo...);
    const auto hi = f(in.hi...);
    return std::pair(Pair{lo.first, hi.first}, Pair{lo.second, hi.second});
  };
  int64_t i = 0;
  for (; i + Pair::kSize <= n; i += Pair::kSize) {
    const auto [first, second] = apply(Pair::Load(src + i)...);
    first.Store(dst0 + i);
    second.Store(dst1 + i);
  }
  if (i < n) {
    const auto [first, second] = apply(Pair::Load(src + i, n - i)...);
    first.Store(dst0 + i, n - i);
    second.Store(dst1 + i, n - i);
  }
}

// What rows of values are combined to, lane by lane: combine(lane, f(src[i]...)), beginning with `init`.
template <typename C, typename Combine>
class VecAccumulator {
 public:
  VecAccumulator(C init, const Combine& combine) : combine_(combine), sums_{Fill(init), Fill(init)} {}

  template <typename F, typename... Src>
  void Add(int64_t n, const F& f, const Src*... src) {
    // two chains hide the latency of `combine`
    int64_t i = 0;
    for (; i + 2 * Pair::kSize <= n; i += 2 * Pair::kSize) {
      Add(sums_[0], detail::Apply<Pair>(f, Pair::Load(src + i)...));
      Add(sums_[1], detail::Apply<Pair>(f, Pair::Load(src + i + Pair::kSize)...));
    }
    for (; i + Pair::kSize <= n; i += Pair::kSize) Add(sums_[0], detail::Apply<Pair>(f, Pair::Load(src + i)...));
    if (const int64_t rest = n - i; rest > 0) {
      detail::CombineFirst(sums_[1], detail::Apply<Pair>(f, Pair::Load(src + i, rest)...), rest, combine_);
    }
  }
  C Total() const {
    Pair sum = sums_[0];
    Add(sum, sums_[1]);
    return at::vec::vec_reduce_all<C>(combine_, combine_(sum.lo, sum.hi));
  }

 private:
  using Pair = primitive::detail::SimdPair<C>;
  using V = typename Pair::Vec;

  static Pair Fill(C init) { return {V(init), V(init)}; }
  void Add(Pair& sum, const Pair& value) const {
    sum.lo = combine_(sum.lo, value.lo);
    sum.hi = combine_(sum.hi, value.hi);
  }

  Combine combine_;
  Pair sums_[2];
};

// combine over all f(src[i]...), beginning with `init`.
template <typename C, typename Combine, typename F, typename... Src>
C VecReduce(int64_t n, C init, const Combine& combine, const F& f, const Src*... src) {
  using V = at::vec::Vectorized<C>;
  if (n <= V::size()) {  // a short row in one vector
    const auto value = f(primitive::detail::SimdPair<C>::Load(src, n).lo...);
    return at::vec::vec_reduce_all<C>(combine, V::set(V(init), value, n));
  }
  VecAccumulator<C, Combine> sum(init, combine);
  sum.Add(n, f, src...);
  return sum.Total();
}

template <typename T, typename F, typename... Src>
Acc<T> VecSum(int64_t n, const F& f, const T* first, const Src*... src) {
  if (n <= kSumRun) return VecReduce(n, Acc<T>(0), VecAdd(), f, first, src...);
  const int64_t half = HalfRun(n);
  const Acc<T> sum = VecSum(half, f, first, src...);
  return sum + VecSum(n - half, f, first + half, (src + half)...);
}

template <typename T>
Acc<T> VecSum(int64_t n, const T* x) {
  return VecSum(n, [](const Vec<T>& v) { return v; }, x);
}

}  // namespace phi::primitive
