// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "primitive/gpu/axis_team.cuh"
#include "primitive/loop/softmax_functor.h"

namespace phi::primitive {

// The maximum of some values, and the sum of exp(value - maximum): what a softmax needs, found in one pass.
template <typename MT>
struct SoftmaxState {
  MT max = -std::numeric_limits<MT>::infinity();
  MT sum = 0;

  __device__ void Add(MT v) {
    if (v > max) {
      sum = sum * std::exp(max - v) + 1;
      max = v;
    } else {
      sum += v == max ? MT(1) : std::exp(v - max);  // equal infinities count too
    }
  }
  __device__ SoftmaxState operator+(const SoftmaxState& o) const {
    SoftmaxState both;
    both.max = max > o.max ? max : o.max;
    both.sum = Rescaled(both.max) + o.Rescaled(both.max);
    return both;
  }
  // NaN where the maximum is not finite: there is no softmax
  __device__ MT Total() const { return sum + (max - max); }

 private:
  __device__ MT Rescaled(MT to) const { return max == to ? sum : sum * std::exp(max - to); }
};

template <typename MT>
__device__ SoftmaxState<MT> ShuffleXor(SoftmaxState<MT> state, int lanes) {
  SoftmaxState<MT> other;
  other.max = __shfl_xor_sync(0xffffffffu, state.max, lanes);
  other.sum = __shfl_xor_sync(0xffffffffu, state.sum, lanes);
  return other;
}

template <typename Team, typename T>
__device__ SoftmaxState<Acc<T>> ReduceSoftmax(const AxisShape& shape, const T* x) {
  SoftmaxState<Acc<T>> state;
  Team::ForEach(shape, [&](int64_t, Acc<T> v) { state.Add(v); }, x);
  return Team::Reduce(state, AddOp());
}

// dx = F::Gradient(y, dy, the sum of F::Term(y, dy) along the axis).
template <typename F, typename T>
struct SoftmaxGradBody {
  const T* y;
  const T* dy;
  T* dx;

  template <typename Team>
  __device__ void Run(const AxisShape& shape, int64_t, int64_t at) const {
    using MT = Acc<T>;
    MT terms = 0;
    Team::ForEach(shape, [&](int64_t, MT a, MT b) { terms += F::Term(a, b); }, y + at, dy + at);
    const MT sum = Team::Reduce(terms, AddOp());
    Team::Map(shape, dx + at, [=](int64_t, MT a, MT b) { return F::Gradient(a, b, sum); }, y + at, dy + at);
  }
};

template <typename F, typename T>
void SoftmaxGradAxis(const GPUContext& dev_ctx, const AxisShape& shape, const T* y, const T* dy, T* dx) {
  LaunchAxisTeams(dev_ctx, shape, SoftmaxGradBody<F, T>{y, dy, dx});
}

}  // namespace phi::primitive
