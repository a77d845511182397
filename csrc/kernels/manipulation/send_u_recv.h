// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/message_passing.h"

namespace phi {

template <typename T, typename Context>
void SendURecvKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& src_index,
                     const DenseTensor& dst_index,
                     const std::string& reduce_op,
                     const IntArray&,
                     DenseTensor* out,
                     DenseTensor* dst_count) {
  const DenseTensor from = funcs::Nodes<funcs::IndexName::kSource>(dev_ctx, src_index, x.dims()[0]);
  const DenseTensor to = funcs::Nodes<funcs::IndexName::kTarget>(dev_ctx, dst_index, out->dims()[0]);
  funcs::Receive<T>(dev_ctx, funcs::RowsOf<T>(dev_ctx, x, from), to, reduce_op, out, dst_count);
}

template <typename T, typename Context>
void SendURecvGradKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const DenseTensor& src_index,
                         const DenseTensor& dst_index,
                         const paddle::optional<DenseTensor>& out,
                         const paddle::optional<DenseTensor>& dst_count,
                         const DenseTensor& out_grad,
                         const std::string& reduce_op,
                         DenseTensor* x_grad) {
  const DenseTensor from = funcs::Nodes<funcs::IndexName::kSource>(dev_ctx, src_index, x.dims()[0]);
  const DenseTensor to = funcs::Nodes<funcs::IndexName::kTarget>(dev_ctx, dst_index, out_grad.dims()[0]);
  const DenseTensor messages = funcs::RowsOf<T>(dev_ctx, x, from);
  DenseTensor grads;
  grads.Resize(messages.dims());
  funcs::MessageGrads<T, int32_t>(dev_ctx, messages, to, reduce_op, out, dst_count, out_grad, &grads);
  funcs::SumAtNodes<T>(dev_ctx, grads, from, x_grad);
}

}  // namespace phi
