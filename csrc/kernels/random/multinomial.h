// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/funcs/reduce_axes.h"
#include "kernels/funcs/row_blocks.h"
#include "primitive/cast.h"
#include "primitive/for_each.h"
#include "primitive/loop/check_probability.h"
#include "primitive/random.h"
#include "primitive/reduction.h"
#include "primitive/scan.h"
#include "primitive/topk.h"

namespace phi {

template <typename C>
HOSTDEVICE inline void CheckWeight(C weight) {
  primitive::CheckProbability("x", "finite weights of at least 0", weight >= C(0) && weight - weight == C(0), weight);
}

// The categories whose weight, divided by a number of the exponential distribution, is largest: as if one was drawn
// after the other.
template <typename T, typename Context>
void DrawDifferent(const Context& dev_ctx, const DenseTensor& x, int64_t count, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  const T* weights = x.data<T>();
  DenseTensor keys, best;
  keys.Resize(x.dims());
  best.Resize(out->dims());
  C* key = dev_ctx.template Alloc<C>(&keys);
  const C* best_key = dev_ctx.template Alloc<C>(&best);
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<C>(x.numel()));
  primitive::ForEachUniform<C>(dev_ctx, state, x.numel(), [=] HOSTDEVICE(int64_t i, C u) {
    const C weight = primitive::ToCompute(weights[i]);
    CheckWeight(weight);
    key[i] = weight > C(0) ? weight / -std::log(C(1) - u) : C(0);
  });
  const primitive::AxisShape shape(x.dims(), -1);
  GetPrimitive<primitive::TopK>(dev_ctx, keys.dtype())(dev_ctx, keys, shape, count, true, true, &best, out);
  primitive::ForEach(dev_ctx, out->numel(), [=] HOSTDEVICE(int64_t i) {
    primitive::CheckProbability("x", "as many weights above 0 as 'num_samples'", best_key[i] > C(0), best_key[i]);
  });
}

// The category at which the sum of the weights passes a random part of the whole.
template <typename T, typename Context>
void DrawAny(const Context& dev_ctx, const DenseTensor& x, int64_t count, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  int64_t* data = out->data<int64_t>();
  DenseTensor weights = x, sums, least;
  if (!std::is_same_v<T, C>) {
    weights = DenseTensor();
    weights.Resize(x.dims());
    primitive::CastTo(dev_ctx, x, CppTypeToDataType<C>::Type(), &weights);
  }
  sums.Resize(x.dims());
  least.Resize({x.dims()[0]});
  const primitive::AxisShape shape(x.dims(), -1);
  primitive::CumulativeSum(dev_ctx, weights, shape, {}, &sums);
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kMin, weights, funcs::ReduceAxes({1}, 2), weights.dtype(), &least);
  const C* sum = sums.data<C>();
  const C* smallest = least.data<C>();
  const int64_t size = shape.dim;
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<C>(out->numel()));
  primitive::ForEachUniform<C>(dev_ctx, state, out->numel(), [=] HOSTDEVICE(int64_t i, C u) {
    const int64_t row = i / count;
    const C* line = sum + row * size;
    const C whole = line[size - 1];
    CheckWeight(smallest[row]);
    primitive::CheckProbability("x", "weights with a finite sum above 0", whole > C(0) && whole - whole == C(0), whole);
    const C part = u * whole;
    int64_t low = 0, high = size - 1;  // the first sum above `part`, or where rounding reached it, equal to the whole
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (line[middle] > part || line[middle] == whole) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    data[i] = low;
  });
}

template <typename T, typename Context>
void MultinomialKernel(
    const Context& dev_ctx, const DenseTensor& x, const Scalar& num_samples, bool replacement, DenseTensor* out) {
  dev_ctx.template Alloc<int64_t>(out);
  if (out->numel() == 0) return;
  const int64_t count = num_samples.to<int64_t>();
  if (!replacement) return DrawDifferent<T>(dev_ctx, x, count, out);
  const int64_t rows = out->numel() / count, size = x.numel() / rows;
  const DenseTensor matrix = primitive::ViewOf(x, {rows, size});
  const DenseTensor drawn = primitive::ViewOf(*out, {rows, count});
  funcs::ForEachRowBlock(dev_ctx, rows, size, [&](int64_t begin, int64_t end) {
    DenseTensor part = funcs::RowsOf(drawn, begin, end);
    DrawAny<T>(dev_ctx, funcs::RowsOf(matrix, begin, end), count, &part);
  });
}

}  // namespace phi
