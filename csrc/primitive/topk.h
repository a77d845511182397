// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/loop/axis_shape.h"

namespace phi::primitive {

// The k largest (or smallest) elements along the axis of the contiguous x, and where they are; with `sorted` the best
// one first, else in any order. A whole sort is one with the k of the axis. NaN counts as the largest number, and of
// equal elements the first come first. out and indices (int64) have their shapes and memory, and elements.
struct TopK {
  static constexpr const char* kName = "topk";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const AxisShape& shape,
                      int64_t k,
                      bool largest,
                      bool sorted,
                      DenseTensor* out,
                      DenseTensor* indices);
};

}  // namespace phi::primitive
