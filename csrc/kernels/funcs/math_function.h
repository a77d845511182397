// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/fill.h"

namespace phi::funcs {

// SetConstant<Context, T>()(dev_ctx, &tensor, value) fills a tensor that has its memory.
template <typename Context, typename T>
struct SetConstant {
  void operator()(const Context& dev_ctx, DenseTensor* tensor, T value) const {
    using Real = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
    using Wide = std::conditional_t<dtype::is_complex_v<T>, dtype::complex<double>, Real>;
    primitive::FillWith(dev_ctx, static_cast<Wide>(value), tensor);
  }
};

// The same for a value that needs no type.
template <typename Context>
void set_constant(const Context& dev_ctx, DenseTensor* tensor, float value) {
  primitive::FillWith(dev_ctx, static_cast<double>(value), tensor);
}

}  // namespace phi::funcs
