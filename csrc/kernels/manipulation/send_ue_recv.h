// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/message_passing.h"

namespace phi {

namespace detail {

struct AddMessage {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return x + y;
  }
};

struct MultiplyMessage {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return x * y;
  }
};

// x and y, or their products, of the shape that both broadcast to, one row for each edge.
template <typename T, typename Context>
DenseTensor Messages(
    const Context& dev_ctx, const DDim& dims, const DenseTensor& x, const DenseTensor& y, bool multiplies) {
  DenseTensor messages;
  messages.Resize(dims);
  if (multiplies) {
    primitive::Map<T>(dev_ctx, &messages, MultiplyMessage(), x, y);
  } else {
    primitive::Map<T>(dev_ctx, &messages, AddMessage(), x, y);
  }
  return messages;
}

// A tensor of rows with ones behind the first dimension, so that it has as many dimensions as the messages.
inline DenseTensor AlignedRows(const DenseTensor& x, int rank) {
  DDim dims{x.dims()[0]};
  for (int i = x.dims().size(); i < rank; ++i) dims.push_back(1);
  for (int i = 1; i < x.dims().size(); ++i) dims.push_back(x.dims()[i]);
  return primitive::ViewOf(x, dims);
}

}  // namespace detail

template <typename T, typename Context>
void SendUeRecvKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const DenseTensor& y,
                      const DenseTensor& src_index,
                      const DenseTensor& dst_index,
                      const std::string& message_op,
                      const std::string& reduce_op,
                      const IntArray&,
                      DenseTensor* out,
                      DenseTensor* dst_count) {
  const DenseTensor from = funcs::Nodes<funcs::IndexName::kSource>(dev_ctx, src_index, x.dims()[0]);
  const DenseTensor to = funcs::Nodes<funcs::IndexName::kTarget>(dev_ctx, dst_index, out->dims()[0]);
  DDim dims = out->dims();
  dims[0] = from.numel();
  const DenseTensor sent = funcs::RowsOf<T>(dev_ctx, x, from);
  const DenseTensor messages = detail::Messages<T>(
      dev_ctx, dims, detail::AlignedRows(sent, dims.size()), detail::AlignedRows(y, dims.size()), message_op == "MUL");
  funcs::Receive<T>(dev_ctx, messages, to, reduce_op, out, dst_count);
}

// A null gradient is not computed.
template <typename T, typename Context>
void SendUeRecvGradKernel(const Context& dev_ctx,
                          const DenseTensor& x,
                          const DenseTensor& y,
                          const DenseTensor& src_index,
                          const DenseTensor& dst_index,
                          const paddle::optional<DenseTensor>& out,
                          const paddle::optional<DenseTensor>& dst_count,
                          const DenseTensor& out_grad,
                          const std::string& message_op,
                          const std::string& reduce_op,
                          DenseTensor* x_grad,
                          DenseTensor* y_grad) {
  const DenseTensor from = funcs::Nodes<funcs::IndexName::kSource>(dev_ctx, src_index, x.dims()[0]);
  const DenseTensor to = funcs::Nodes<funcs::IndexName::kTarget>(dev_ctx, dst_index, out_grad.dims()[0]);
  const bool multiplies = message_op == "MUL";
  DDim dims = out_grad.dims();
  dims[0] = from.numel();
  const DenseTensor rows = funcs::RowsOf<T>(dev_ctx, x, from);
  const DenseTensor sent = detail::AlignedRows(rows, dims.size());
  const DenseTensor edges = detail::AlignedRows(y, dims.size());
  const DenseTensor messages = detail::Messages<T>(dev_ctx, dims, sent, edges, multiplies);
  DenseTensor grads;
  grads.Resize(dims);
  funcs::MessageGrads<T, int32_t>(dev_ctx, messages, to, reduce_op, out, dst_count, out_grad, &grads);
  // the gradient of one of the two, summed over the dimensions in which it was broadcast
  const auto part = [&](const DenseTensor& other, const DenseTensor& own, DenseTensor* grad) {
    dev_ctx.template Alloc<T>(grad);
    DenseTensor sum = primitive::ViewOf(*grad, own.dims());
    const DenseTensor whole = multiplies ? detail::Messages<T>(dev_ctx, dims, grads, other, true) : grads;
    funcs::SumBroadcast(dev_ctx, whole, own.dims(), grads.dtype(), &sum);
  };
  if (x_grad) {
    DenseTensor sent_grad;
    sent_grad.Resize(rows.dims());
    part(edges, sent, &sent_grad);
    funcs::SumAtNodes<T>(dev_ctx, sent_grad, from, x_grad);
  }
  if (y_grad) part(sent, edges, y_grad);
}

}  // namespace phi
