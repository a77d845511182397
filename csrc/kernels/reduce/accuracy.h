// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/reduction.h"

namespace phi {

// Whether a row of `width` indices has its label.
template <typename Label>
struct HasLabel {
  const int64_t* indices;
  int64_t width;
  const Label* labels;
  int* hit;
  HOSTDEVICE void operator()(int64_t row) const {
    int found = 0;
    for (int64_t k = 0; k < width; ++k) found |= indices[row * width + k] == labels[row];
    hit[row] = found;
  }
};

// The part of the rows of `indices` that have their label, as a number and as two counts.
template <typename T, typename Context>
void AccuracyKernel(const Context& dev_ctx,
                    const DenseTensor&,
                    const DenseTensor& indices,
                    const DenseTensor& label,
                    DenseTensor* accuracy,
                    DenseTensor* correct,
                    DenseTensor* total) {
  const int64_t rows = indices.dims()[0], width = indices.dims()[1];
  DenseTensor hits;
  hits.Resize({rows});
  int* hit = dev_ctx.template Alloc<int>(&hits);
  const int64_t* found = indices.data<int64_t>();
  label.dtype() == DataType::INT32
      ? primitive::ForEach(dev_ctx, rows, HasLabel<int32_t>{found, width, label.data<int32_t>(), hit})
      : primitive::ForEach(dev_ctx, rows, HasLabel<int64_t>{found, width, label.data<int64_t>(), hit});
  primitive::Reduce(dev_ctx, primitive::ReduceOp::kSum, hits, primitive::AxisSet(), DataType::INT32, correct);
  const int* right = correct->data<int>();
  float* part = dev_ctx.template Alloc<float>(accuracy);
  int* all = dev_ctx.template Alloc<int>(total);
  primitive::ForEach(dev_ctx, 1, [=] HOSTDEVICE(int64_t) {
    *all = static_cast<int>(rows);
    *part = rows == 0 ? 0.0f : static_cast<float>(*right) / static_cast<float>(rows);
  });
}

}  // namespace phi
