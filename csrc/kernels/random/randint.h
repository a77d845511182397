// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/random.h"

namespace phi {

template <typename T, typename Context>
void RandintKernel(const Context& dev_ctx, int low, int high, const IntArray&, DataType, DenseTensor* out) {
  T* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = out->numel(), least = low;
  if (n == 0) return;
  const double range = static_cast<double>(high) - low;  // below 2^32, so that 53 random bits are enough
  const auto state = primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<double>(n));
  primitive::ForEachUniform<double>(dev_ctx, state, n, [=] HOSTDEVICE(int64_t i, double u) {
    data[i] = static_cast<T>(least + static_cast<int64_t>(u * range));
  });
}

}  // namespace phi
