// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/distribution.h"

namespace phi {

// Real and imaginary part of a complex number are independent.
template <typename T, typename Context>
void UniformKernel(const Context& dev_ctx,
                   const IntArray&,
                   DataType,
                   const Scalar& min,
                   const Scalar& max,
                   int seed,
                   DenseTensor* out) {
  using Part = typename dtype::RealTypeTrait<T>::Type;
  void* data = dev_ctx.template Alloc<T>(out);
  const int64_t n = out->numel() * (dtype::is_complex_v<T> ? 2 : 1);
  if (n == 0) return;
  const auto state =
      primitive::MakePhiloxState(dev_ctx, seed, primitive::PhiloxCounters<primitive::ComputeType<Part>>(n));
  const auto fill = GetPrimitive<primitive::UniformNumbers>(dev_ctx, CppTypeToDataType<Part>::Type());
  fill(dev_ctx, state, min.to<double>(), max.to<double>(), n, data);
}

}  // namespace phi
