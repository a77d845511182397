// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// out = x, which may differ in dtype, strides and device: for devices without `Cast`, `CopyNd` or `Memcpy`. `out` has
// memory.
struct TensorCopy {
  static constexpr const char* kName = "tensor_copy";
  using Key = std::tuple<>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, DenseTensor* out);
};

}  // namespace phi::primitive
