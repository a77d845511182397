// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kernels/funcs/axis_team.cuh"

namespace phi::funcs {

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

}  // namespace phi::funcs
