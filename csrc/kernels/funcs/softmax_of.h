// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/cast.h"
#include "primitive/convert.h"
#include "primitive/softmax.h"

namespace phi::funcs {

// out = the softmax along the axis of what fill(scores) writes, which is float for half types.
template <typename T, typename Context, typename Fill>
void SoftmaxOf(const Context& dev_ctx, int axis, DenseTensor* out, const Fill& fill) {
  using Compute = primitive::ComputeType<T>;
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  DenseTensor scores = std::is_same_v<T, Compute> ? *out : primitive::EmptyTensor<Compute>(dev_ctx, out->dims());
  fill(&scores);
  GetPrimitive<primitive::Softmax>(dev_ctx, scores.dtype())(dev_ctx, scores, axis, &scores);
  if constexpr (!std::is_same_v<T, Compute>) primitive::CastTo(dev_ctx, scores, out->dtype(), out);
}

}  // namespace phi::funcs
