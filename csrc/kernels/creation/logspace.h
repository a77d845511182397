// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/creation/linspace.h"

namespace phi {

// The powers of `base` whose exponents are those numbers.
template <typename T, typename Context>
void LogspaceKernel(const Context& dev_ctx,
                    const DenseTensor& start,
                    const DenseTensor& stop,
                    const DenseTensor& num,
                    const DenseTensor& base,
                    DataType,
                    DenseTensor* out) {
  const int64_t count = CountOf(dev_ctx, num, "num");
  T* data = dev_ctx.template Alloc<T>(&out->Resize({count}));
  const DenseTensor first = detail::NumberAs<T>(dev_ctx, start), last = detail::NumberAs<T>(dev_ctx, stop);
  const DenseTensor of = detail::NumberAs<T>(dev_ctx, base);
  const SpacedNumbers exponents{first.data<double>(), last.data<double>(), count};
  const double* number = of.data<double>();
  primitive::ForEach(
      dev_ctx, count, [=] HOSTDEVICE(int64_t i) { data[i] = primitive::Convert<T>(std::pow(*number, exponents[i])); });
}

}  // namespace phi
