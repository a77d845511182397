// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/loop/check_index.h"

namespace phi {

// For each element of x a row of num_classes numbers, 1 at the element and else 0. T is the type of x, out is float32.
template <typename T, typename Context>
void OneHotKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& num_classes, DenseTensor* out) {
  const T* classes = x.data<T>();
  float* result = dev_ctx.template Alloc<float>(out);
  const int64_t width = num_classes.to<int64_t>();
  primitive::ForEachRun(dev_ctx, x.numel(), width, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const int64_t wanted = classes[row];
    primitive::CheckIndex("x", wanted, 0, width);
    float* to = result + row * width;
    for (int64_t i = begin; i < end; ++i) to[i] = i == wanted ? 1.0f : 0.0f;
  });
}

}  // namespace phi
