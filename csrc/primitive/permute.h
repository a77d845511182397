// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/primitive_factory.h"

namespace phi::primitive {

// out = x with dimension perm[i] of x as dimension i. Both are contiguous, of one dtype; `out` has memory.
struct Permute {
  static constexpr const char* kName = "permute";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const std::vector<int>& perm,
                      DenseTensor* out);
};

inline void PermuteTo(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const std::vector<int>& perm,
                      DenseTensor* out) {
  if (x.numel() > 0) GetPrimitive<Permute>(dev_ctx, x.dtype())(dev_ctx, x, perm, out);
}

}  // namespace phi::primitive
