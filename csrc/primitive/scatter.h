// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/gather.h"

namespace phi::primitive {

// The gradient of Gather: x_grad, allocated, is for each row of `table` the sum of the rows of out_grad that it was
// looked up for, in their order. Both have one dtype, the key. The result does not depend on the number of threads.
struct ScatterSum {
  static constexpr const char* kName = "scatter_sum";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const LookupTable& table,
                      const DenseTensor& ids,
                      const DenseTensor& out_grad,
                      DenseTensor* x_grad);
};

}  // namespace phi::primitive
