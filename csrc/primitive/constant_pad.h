// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/scalar.h"
#include "core/primitive_factory.h"

namespace phi::primitive {

// x with `before[i]` elements of `value` in front of dimension i, and what is left of that dimension of `out` behind.
// `out` is contiguous and has memory.
struct ConstantPad {
  static constexpr const char* kName = "constant_pad";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const std::vector<int64_t>& before,
                      const Scalar& value,
                      DenseTensor* out);
};

}  // namespace phi::primitive
