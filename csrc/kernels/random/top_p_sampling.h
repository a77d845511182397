// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/random.h"
#include "primitive/sort.h"

namespace phi {

// Uniform numbers for the rows, of a seed for each if `topp_seed` has them.
template <typename Context>
DenseTensor UniformOfRows(const Context& dev_ctx, const DenseTensor* topp_seed, int64_t seed, int64_t rows) {
  DenseTensor uniform = primitive::EmptyTensor<float>(dev_ctx, {rows});
  float* data = uniform.data<float>();
  if (topp_seed != nullptr) {
    const int64_t* seeds = topp_seed->data<int64_t>();
    for (int64_t row = 0; row < rows; ++row) {
      const primitive::PhiloxState state{static_cast<uint64_t>(seeds[row]), 0};
      primitive::ForEachUniform<float>(dev_ctx, state, 1, [=] HOSTDEVICE(int64_t, float u) { data[row] = u; });
    }
    return uniform;
  }
  const uint64_t fixed = seed > 0 ? static_cast<uint64_t>(seed) : 0;
  const auto state = primitive::MakePhiloxState(dev_ctx, fixed, primitive::PhiloxCounters<float>(rows));
  primitive::ForEachUniform<float>(dev_ctx, state, rows, [=] HOSTDEVICE(int64_t i, float u) { data[i] = u; });
  return uniform;
}

// Draws from the most likely columns of each row, whose sum reaches the row's number in `ps`.
template <typename T, typename Context>
void TopPSamplingKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const DenseTensor& ps,
                        const paddle::optional<DenseTensor>& threshold,
                        const paddle::optional<DenseTensor>& topp_seed,
                        int64_t seed,
                        int k,
                        const std::string& mode,
                        DenseTensor* out,
                        DenseTensor* ids,
                        DenseTensor* topk_scores,
                        DenseTensor* topk_ids) {
  T* drawn = dev_ctx.template Alloc<T>(out);
  int64_t* number = dev_ctx.template Alloc<int64_t>(ids);
  T* scores = dev_ctx.template Alloc<T>(topk_scores);
  int64_t* best_ids = dev_ctx.template Alloc<int64_t>(topk_ids);
  const int64_t rows = x.dims()[0], size = x.dims()[1], count = k;
  if (rows == 0) return;
  DenseTensor sorted = primitive::EmptyTensor<T>(dev_ctx, x.dims());
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, x.dims());
  const primitive::AxisShape shape(x.dims(), -1);
  GetPrimitive<primitive::Sort>(dev_ctx, x.dtype())(dev_ctx, x, shape, true, &sorted, &places);
  const DenseTensor uniform = UniformOfRows(dev_ctx, topp_seed.get_ptr(), seed, rows);
  const T* values = sorted.data<T>();
  const int64_t* columns = places.data<int64_t>();
  const float* us = uniform.data<float>();
  const T* parts = ps.data<T>();
  const T* least = threshold ? threshold->data<T>() : nullptr;
  const bool is_truncated = mode != "non-truncated";
  primitive::ForEach(dev_ctx, rows, [=] HOSTDEVICE(int64_t row) {
    const T* line = values + row * size;
    const float part = static_cast<float>(primitive::ToCompute(parts[row]));
    float whole = 0;
    int64_t end = 0;
    while (end < size && whole < part) whole += static_cast<float>(primitive::ToCompute(line[end++]));
    if (end == 0) end = 1;
    const float target = us[row] * (is_truncated && part < whole ? part : whole);
    float sum = 0;
    int64_t at = 0;
    for (; at + 1 < end; ++at) {
      sum += static_cast<float>(primitive::ToCompute(line[at]));
      if (sum > target) break;
    }
    while (least != nullptr && at > 0 && primitive::ToCompute(line[at]) < primitive::ToCompute(least[row])) --at;
    drawn[row] = line[at];
    number[row] = columns[row * size + at];
    for (int64_t i = 0; i < count; ++i) {
      scores[row * count + i] = line[i];
      best_ids[row * count + i] = columns[row * size + i];
    }
  });
}

}  // namespace phi
