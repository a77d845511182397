// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/primitive_factory.h"

namespace phi::primitive {

// `value`, converted to the data type of `out`, in all elements of `out`, which is dense and has memory.
struct Fill {
  static constexpr const char* kName = "fill";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const Scalar& value, DenseTensor* out);
};

inline void FillWith(const DeviceContext& dev_ctx, const Scalar& value, DenseTensor* out) {
  GetPrimitive<Fill>(dev_ctx, out->dtype())(dev_ctx, value, out);
}

}  // namespace phi::primitive
