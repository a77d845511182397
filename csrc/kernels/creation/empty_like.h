// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace phi {

template <typename T, typename Context>
void EmptyLikeKernel(const Context& dev_ctx, const DenseTensor&, DataType, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
}

}  // namespace phi
