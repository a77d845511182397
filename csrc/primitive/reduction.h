// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/reduce_plan.h"

namespace phi::primitive {

enum class ReduceOp : uint8_t { kSum, kMean, kProd, kNorm, kMax, kMin, kAny, kAll, kCount };

// Reduces `axes` of the contiguous x to `out`, which is contiguous and has memory and the shape, with or without the
// reduced dimensions. The key is the operation, the dtype of x, and that of `out`. A sum of half types may be a half
// type or float, one of integers is int64, as a product is, and a float may be rounded to a half type. The norm is the
// Euclidean one, of floating types.
struct Reduction {
  static constexpr const char* kName = "reduction";
  using Key = std::tuple<ReduceOp, DataType, DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, AxisSet axes, DenseTensor* out);
};

// The same; `out` is allocated, of `dtype`.
inline void Reduce(
    const DeviceContext& dev_ctx, ReduceOp op, const DenseTensor& x, AxisSet axes, DataType dtype, DenseTensor* out) {
  dev_ctx.Alloc(out, dtype);
  if (out->numel() > 0) GetPrimitive<Reduction>(dev_ctx, op, x.dtype(), dtype)(dev_ctx, x, axes, out);
}

}  // namespace phi::primitive
