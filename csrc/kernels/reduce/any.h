// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/all.h"

namespace phi {

template <typename T, typename Context>
void AnyKernel(const Context& dev_ctx, const DenseTensor& x, const std::vector<int64_t>& axis, bool, DenseTensor* out) {
  LogicalReduce(dev_ctx, primitive::ReduceOp::kAny, x, axis, out);
}

}  // namespace phi
