// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/enforce.h"
#include "core/primitive_factory.h"
#include "primitive/loop/axis_shape.h"

namespace phi::primitive {

enum class ArgReduceOp : uint8_t { kMax, kMin, kCount };

// Where the maximum or minimum along the axis of the contiguous x is: its index, the first one of equal elements and of
// NaNs, which win. The axis is not empty; `out` has its shape and memory. The key is the operation, the dtype of x, and
// that of `out`, which is int32 or int64.
struct ArgReduction {
  static constexpr const char* kName = "arg_reduction";
  using Key = std::tuple<ArgReduceOp, DataType, DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx, const DenseTensor& x, const AxisShape& shape, DenseTensor* out);
};

// The same; `out` is allocated, of `dtype`.
//
//   ArgReduce(dev_ctx, ArgReduceOp::kMax, x, AxisShape(x.dims(), axis), DataType::INT64, out);
inline void ArgReduce(const DeviceContext& dev_ctx,
                      ArgReduceOp op,
                      const DenseTensor& x,
                      const AxisShape& shape,
                      DataType dtype,
                      DenseTensor* out) {
  dev_ctx.Alloc(out, dtype);
  if (out->numel() == 0) return;
  PADDLE_ENFORCE(shape.dim > 0, errors::InvalidArgument("ArgReduce: the axis has no elements: %s", x.dims()));
  GetPrimitive<ArgReduction>(dev_ctx, op, x.dtype(), dtype)(dev_ctx, x, shape, out);
}

}  // namespace phi::primitive
