// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "primitive/convert.h"
#include "primitive/distribution.h"

namespace phi {

// A complex number takes two normal numbers, each with half of the variance and the same mean.
template <typename T, typename Context>
void GaussianKernel(
    const Context& dev_ctx, const IntArray&, float mean, float std, int seed, DataType, DenseTensor* out) {
  using Part = typename dtype::RealTypeTrait<T>::Type;
  constexpr bool is_complex = dtype::is_complex_v<T>;
  void* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = out->numel() * (is_complex ? 2 : 1);
  if (n == 0) return;
  const auto state =
      primitive::MakePhiloxState(dev_ctx, seed, primitive::PhiloxCounters<primitive::ComputeType<Part>>(n));
  const auto fill = GetPrimitive<primitive::NormalNumbers>(dev_ctx, CppTypeToDataType<Part>::Type());
  fill(dev_ctx, state, mean, is_complex ? std * std::sqrt(0.5) : std, n, data);
}

}  // namespace phi
