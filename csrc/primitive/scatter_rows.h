// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// How rows that come to one place are combined. Of kAssign the last one stays.
enum class ScatterOp : uint8_t { kAssign, kAdd, kMultiply, kMin, kMax, kCount };

// Combines rows of `width` elements with those of `out`, which has values: row i of `updates` with row places[i],
// int64 and in range, in their order. Unless `keeps`, the first row that comes to a place forgets what was there. Both
// have one dtype, in the key; sums and products of half types are taken in float. The result does not depend on the
// number of threads.
struct ScatterRows {
  static constexpr const char* kName = "scatter_rows";
  using Key = std::tuple<ScatterOp, DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& places,
                      const DenseTensor& updates,
                      int64_t width,
                      bool keeps,
                      DenseTensor* out);
};

inline void ScatterTo(const DeviceContext& dev_ctx,
                      ScatterOp op,
                      const DenseTensor& places,
                      const DenseTensor& updates,
                      int64_t width,
                      bool keeps,
                      DenseTensor* out) {
  if (places.numel() == 0 || width == 0) return;
  GetPrimitive<ScatterRows>(dev_ctx, op, out->dtype())(dev_ctx, places, updates, width, keeps, out);
}

}  // namespace phi::primitive
