// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "primitive/convert.h"

// What a reduction computes. An op is a struct template over the output's type:
//   Acc            the type of the running value
//   Init()         its first value, neutral for Combine
//   Combine(a, b)  associative and commutative; a template that also takes SIMD vectors
//   Finish(acc, count)  the result, from the value over `count` elements
namespace phi::primitive {

// Sums of half types run in float, those of integers in int64_t.
template <typename T>
using SumType = std::conditional_t<std::is_integral_v<T>, int64_t, ComputeType<T>>;

template <typename T>
struct SumOp {
  using Acc = SumType<T>;
  HOSTDEVICE static Acc Init() { return Acc(0); }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return a + b;
  }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

// Integer means truncate. The mean of nothing is NaN, for integers the least value.
template <typename T>
struct MeanOp : SumOp<T> {
  using Acc = typename SumOp<T>::Acc;
  HOSTDEVICE static Acc Finish(Acc acc, int64_t count) {
    if constexpr (std::is_integral_v<Acc>) {
      return count == 0 ? Acc(std::numeric_limits<T>::min()) : acc / count;
    } else {
      return acc / static_cast<typename dtype::RealTypeTrait<Acc>::Type>(count);
    }
  }
};

template <typename T>
struct ProdOp {
  using Acc = SumType<T>;
  HOSTDEVICE static Acc Init() { return Acc(1); }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return a * b;
  }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

// The root of a sum, which is one of squares.
template <typename T>
struct NormOp : SumOp<T> {
  using Acc = typename SumOp<T>::Acc;
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return std::sqrt(acc); }
};

// NaN wins. Better(a, b): whether a takes the place of a b that comes before it.
template <typename T>
struct MaxOp {
  using Acc = ComputeType<T>;
  using Limits = std::numeric_limits<Acc>;
  HOSTDEVICE static Acc Init() { return Limits::has_infinity ? -Limits::infinity() : Limits::lowest(); }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return (a > b) | (a != a) ? a : b;
  }
  HOSTDEVICE static bool Better(Acc a, Acc b) { return a > b || (a != a && b == b); }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

template <typename T>
struct MinOp {
  using Acc = ComputeType<T>;
  using Limits = std::numeric_limits<Acc>;
  HOSTDEVICE static Acc Init() { return Limits::has_infinity ? Limits::infinity() : Limits::max(); }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return (a < b) | (a != a) ? a : b;
  }
  HOSTDEVICE static bool Better(Acc a, Acc b) { return a < b || (a != a && b == b); }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

// For outputs of type bool, and any input.
template <typename T>
struct AnyOp {
  using Acc = bool;
  HOSTDEVICE static Acc Init() { return false; }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return a | b;
  }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

template <typename T>
struct AllOp {
  using Acc = bool;
  HOSTDEVICE static Acc Init() { return true; }
  template <class V>
  HOSTDEVICE static V Combine(V a, V b) {
    return a & b;
  }
  HOSTDEVICE static Acc Finish(Acc acc, int64_t) { return acc; }
};

// From an element (a half type's as float) to a running value.
template <typename Acc>
struct ToAcc {
  template <typename T>
  HOSTDEVICE Acc operator()(T x) const {
    return Convert<Acc>(x);
  }
};

}  // namespace phi::primitive
