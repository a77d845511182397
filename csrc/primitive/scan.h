// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/scan_options.h"

namespace phi::primitive {

// out = the cumulative sums of the contiguous x along the axis; `out` has its dtype, as many elements, and memory, and
// may be x. Half types are summed in float, float in double; integers wrap. Results do not depend on the number of
// threads.
struct Scan {
  static constexpr const char* kName = "scan";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& x,
                      const AxisShape& shape,
                      const ScanOptions& options,
                      DenseTensor* out);
};

// The same; `out` is allocated.
//
//   CumulativeSum(dev_ctx, x, AxisShape(x.dims(), axis), {.exclusive = true}, out);
inline void CumulativeSum(const DeviceContext& dev_ctx,
                          const DenseTensor& x,
                          const AxisShape& shape,
                          const ScanOptions& options,
                          DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  if (out->numel() > 0) GetPrimitive<Scan>(dev_ctx, x.dtype())(dev_ctx, x, shape, options, out);
}

}  // namespace phi::primitive
