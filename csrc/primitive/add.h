// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/primitive_factory.h"

namespace phi::primitive {

// The sum of one or more tensors of one dtype, which broadcast to the shape of `out`. It has memory, and may be one of
// them. Half types are added in float.
struct Add {
  static constexpr const char* kName = "add";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const std::vector<const DenseTensor*>& x, DenseTensor* out);
};

}  // namespace phi::primitive
