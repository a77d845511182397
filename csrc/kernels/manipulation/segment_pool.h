// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kernels/funcs/message_passing.h"
#include "kernels/funcs/numbers_of_host.h"
#include "primitive/cast.h"
#include "primitive/reduction.h"

namespace phi {

namespace detail {

// One more than the greatest of `ids`, of which none is negative.
inline int64_t CountSegments(const DeviceContext& dev_ctx, const DenseTensor& ids) {
  if (ids.numel() == 0) return 0;
  const auto find = [&](primitive::ReduceOp op) {
    DenseTensor found;
    found.Resize({1});
    primitive::Reduce(dev_ctx, op, ids, primitive::AxisSet(), ids.dtype(), &found);
    return funcs::ToHost(dev_ctx, found)[0];
  };
  const int64_t least = find(primitive::ReduceOp::kMin);
  PADDLE_ENFORCE(least >= 0,
                 errors::OutOfRange("argument 'segment_ids': expected numbers of at least 0, got %d", least));
  const int64_t most = find(primitive::ReduceOp::kMax);
  PADDLE_ENFORCE(most < std::numeric_limits<int64_t>::max(),
                 errors::OutOfRange("argument 'segment_ids': expected numbers that can be counted, got %d", most));
  return most + 1;
}

}  // namespace detail

// The rows of x as messages to their segments. `summed_ids` of the mean are how many rows each has.
template <typename T, typename Context>
void SegmentPoolKernel(const Context& dev_ctx,
                       const DenseTensor& x,
                       const DenseTensor& segment_ids,
                       const std::string& pooltype,
                       DenseTensor* out,
                       DenseTensor* summed_ids) {
  const int64_t segments = detail::CountSegments(dev_ctx, segment_ids);
  DDim dims = x.dims();
  dims[0] = segments;
  out->Resize(dims);
  summed_ids->Resize({pooltype == "MEAN" ? segments : 0, 1});
  dev_ctx.template Alloc<T>(summed_ids);
  DenseTensor counts;
  counts.Resize(summed_ids->dims());
  const DenseTensor places = funcs::Nodes<funcs::IndexName::kSegment>(dev_ctx, segment_ids, segments);
  funcs::Receive<T>(dev_ctx, x, places, pooltype, out, &counts);
  if (counts.numel() > 0) primitive::CastTo(dev_ctx, counts, x.dtype(), summed_ids);
}

template <typename T, typename Context>
void SegmentPoolGradKernel(const Context& dev_ctx,
                           const DenseTensor& x,
                           const DenseTensor& segment_ids,
                           const DenseTensor& out,
                           const paddle::optional<DenseTensor>& summed_ids,
                           const DenseTensor& out_grad,
                           const std::string& pooltype,
                           DenseTensor* x_grad) {
  const DenseTensor places = funcs::Nodes<funcs::IndexName::kSegment>(dev_ctx, segment_ids, out_grad.dims()[0]);
  funcs::MessageGrads<T, T>(dev_ctx, x, places, pooltype, out, summed_ids, out_grad, x_grad);
}

}  // namespace phi
