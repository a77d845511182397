// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/ceil_div.h"
#include "primitive/gpu/axis_team.cuh"
#include "primitive/gpu/for_each.cuh"
#include "primitive/reduce_ops.h"

// Indices of maxima and minima on the GPU, in two passes where few axes are long: no atomics.
namespace phi::primitive::detail {

// The best of some elements; the first one of equal ones, in whatever order they come.
template <class Op>
struct ArgState {
  typename Op::Acc value;
  int64_t index = -1;  // none yet

  __device__ ArgState operator+(const ArgState& o) const {
    if (o.index < 0) return *this;
    if (index < 0 || Op::Better(o.value, value)) return o;
    return Op::Better(value, o.value) || index < o.index ? *this : o;
  }
};

template <class Op>
__device__ ArgState<Op> ShuffleXor(const ArgState<Op>& state, int lanes) {
  ArgState<Op> other;
  other.value = __shfl_xor_sync(0xffffffffu, state.value, lanes);
  other.index = __shfl_xor_sync(0xffffffffu, state.index, lanes);
  return other;
}

// The axis is cut into chunks of `chunk` elements: `shape` is that of one, with the chunks among its outer positions.
template <class Op, typename T, typename OutT>
struct ArgReduceBody {
  const T* x;
  int64_t dim;  // of the whole axis
  int64_t chunks;
  OutT* out;
  ArgState<Op>* partials;  // [outer, chunks, inner], if there are several chunks

  template <typename Team>
  __device__ void Run(const AxisShape& shape, int64_t position, int64_t) const {
    const int64_t inner = position % shape.inner;
    const int64_t outer = position / shape.inner / chunks;
    const int64_t begin = position / shape.inner % chunks * shape.dim;
    AxisShape part = shape;
    part.dim = min(shape.dim, dim - begin);
    ArgState<Op> best;
    const auto add = [&](int64_t d, typename Op::Acc value) { best = best + ArgState<Op>{value, begin + d}; };
    Team::ForEach(part, add, x + (outer * dim + begin) * shape.inner + inner);
    best = Team::Reduce(best, AddOp());
    if (!Team::IsLeader()) return;
    if (partials) {
      partials[position] = best;
    } else {
      out[position] = static_cast<OutT>(best.index);
    }
  }
};

template <class Op, typename OutT>
struct CombineArgs {
  const ArgState<Op>* partials;
  int64_t chunks;
  int64_t inner;
  OutT* out;

  __device__ void operator()(int64_t i) const {
    const ArgState<Op>* from = partials + i / inner * chunks * inner + i % inner;
    ArgState<Op> best = from[0];
    for (int64_t k = 1; k < chunks; ++k) best = best + from[k * inner];
    out[i] = static_cast<OutT>(best.index);
  }
};

template <class Op, typename T, typename OutT>
void ArgReduceAxis(const GPUContext& dev_ctx, const AxisShape& shape, const T* x, OutT* out) {
  const int64_t outputs = shape.outer * shape.inner;
  const int64_t at_once = 8 * int64_t(dev_ctx.GetSMCount()) * (shape.inner == 1 ? 1 : 128);
  const int64_t useful = shape.dim / (shape.inner == 1 ? 8192 : 64);
  const int64_t wanted = std::clamp<int64_t>(std::min(at_once / outputs, useful), 1, 1024);
  AxisShape part = shape;
  part.dim = CeilDiv(shape.dim, wanted);
  const int64_t chunks = CeilDiv(shape.dim, part.dim);
  part.outer = shape.outer * chunks;

  DenseTensor partial_tensor;
  partial_tensor.Resize({chunks == 1 ? 0 : outputs * chunks * int64_t(sizeof(ArgState<Op>))});
  ArgState<Op>* partials = nullptr;
  if (chunks > 1) partials = reinterpret_cast<ArgState<Op>*>(dev_ctx.Alloc<uint8_t>(&partial_tensor));
  LaunchAxisTeams(dev_ctx, part, ArgReduceBody<Op, T, OutT>{x, shape.dim, chunks, out, partials});
  if (partials) RunForEach(dev_ctx, outputs, CombineArgs<Op, OutT>{partials, chunks, shape.inner, out});
}

}  // namespace phi::primitive::detail
