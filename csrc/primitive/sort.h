// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/loop/axis_shape.h"

namespace phi::primitive {

// The elements along the axis of the contiguous x in order, and the places that they had (int64). NaN counts as the
// largest number, and equal elements stay in their order. x has elements; both outputs have its shape, and memory.
// `out` is null where only the places are wanted.
struct Sort {
  static constexpr const char* kName = "sort";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const AxisShape& shape,
                      bool descending,
                      DenseTensor* out,
                      DenseTensor* indices);
};

}  // namespace phi::primitive
