// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/for_each.h"

namespace phi {

template <typename T, typename Number>
struct ArangeFunctor {
  Number start;
  Number step;
  T* out;
  HOSTDEVICE void operator()(int64_t i) const { out[i] = primitive::Convert<T>(start + static_cast<Number>(i) * step); }
};

// Not summed up step by step: errors would grow.
template <typename T, typename Context>
void ArangeKernel(const Context& dev_ctx, const Scalar& start, const Scalar&, const Scalar& step, DenseTensor* out) {
  using Number = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
  T* data = dev_ctx.template Alloc<T>(out);
  primitive::ForEach(dev_ctx, out->numel(), ArangeFunctor<T, Number>{start.to<Number>(), step.to<Number>(), data});
}

}  // namespace phi
