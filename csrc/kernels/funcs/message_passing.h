// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/int_array.h"
#include "common/optional.h"
#include "kernels/funcs/binary_grad.h"
#include "kernels/funcs/row_places.h"
#include "primitive/fill.h"
#include "primitive/memset.h"
#include "primitive/scatter.h"
#include "primitive/scatter_rows.h"

// Messages along the edges of a graph, from the nodes `src_index` to `dst_index`, combined where they arrive.
namespace phi::funcs {

// The nodes of `index` as int64, each in range.
template <IndexName kName, typename Context>
DenseTensor Nodes(const Context& dev_ctx, const DenseTensor& index, int64_t nodes) {
  return RowPlaces<kName>(dev_ctx, index, {nullptr, 1, nodes, 1});
}

// The rows of x, one for each edge.
template <typename T, typename Context>
void TakeRows(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& nodes, DenseTensor* rows) {
  dev_ctx.template Alloc<T>(rows);
  if (rows->numel() == 0) return;
  GetPrimitive<primitive::Gather>(dev_ctx)(dev_ctx, primitive::TableAlong(x, 0), nodes, x, rows);
}

template <typename T, typename Context>
DenseTensor RowsOf(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& nodes) {
  DDim dims = x.dims();
  dims[0] = nodes.numel();
  DenseTensor rows;
  rows.Resize(dims);
  TakeRows<T>(dev_ctx, x, nodes, &rows);
  return rows;
}

template <typename C, typename Count>
struct ShareFunctor {
  HOSTDEVICE C operator()(C sum, Count count) const { return count > Count(1) ? sum / static_cast<C>(count) : sum; }
};

// x divided by the counts of its rows, of the type Count.
template <typename T, typename Count, typename Context>
void DivideRows(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& counts, DenseTensor* out) {
  if (x.numel() == 0) return;
  const int64_t rows = x.dims()[0];
  DenseTensor whole = primitive::ViewOf(*out, {rows, x.numel() / rows});
  primitive::Elementwise<T, T, Count>(dev_ctx,
                                      &whole,
                                      ShareFunctor<primitive::ComputeType<T>, primitive::ComputeType<Count>>(),
                                      primitive::ViewOf(x, whole.dims()),
                                      primitive::ViewOf(counts, {rows, 1}));
}

// out = the messages, combined at their nodes; zero where none arrives. `counts` of the mean are how many did.
template <typename T, typename Context>
void Receive(const Context& dev_ctx,
             const DenseTensor& messages,
             const DenseTensor& nodes,
             const std::string& reduce_op,
             DenseTensor* out,
             DenseTensor* counts) {
  using primitive::ScatterOp;
  dev_ctx.template Alloc<T>(out);
  primitive::SetZero(dev_ctx, out);
  dev_ctx.template Alloc<int32_t>(counts);
  primitive::SetZero(dev_ctx, counts);
  if (out->numel() == 0) return;
  const int64_t width = out->numel() / out->dims()[0];
  const bool adds = reduce_op == "SUM" || reduce_op == "MEAN";
  const ScatterOp op = adds ? ScatterOp::kAdd : reduce_op == "MAX" ? ScatterOp::kMax : ScatterOp::kMin;
  primitive::ScatterTo(dev_ctx, op, nodes, messages, width, adds, out);
  if (reduce_op != "MEAN" || nodes.numel() == 0) return;
  DenseTensor ones = primitive::EmptyTensor<int32_t>(dev_ctx, nodes.dims());
  primitive::FillWith(dev_ctx, 1, &ones);
  primitive::ScatterTo(dev_ctx, ScatterOp::kAdd, nodes, ones, 1, true, counts);
  DivideRows<T, int32_t>(dev_ctx, *out, *counts, out);
}

template <typename C>
struct ArrivedFunctor {
  HOSTDEVICE C operator()(C message, C result, C grad) const { return message == result ? grad : C(0); }
};

// The gradients of the messages. Of the greatest and the least, each that is the result has the whole.
template <typename T, typename Count, typename Context>
void MessageGrads(const Context& dev_ctx,
                  const DenseTensor& messages,
                  const DenseTensor& nodes,
                  const std::string& reduce_op,
                  const paddle::optional<DenseTensor>& out,
                  const paddle::optional<DenseTensor>& counts,
                  const DenseTensor& out_grad,
                  DenseTensor* grads) {
  if (reduce_op == "MEAN" && counts) {
    DenseTensor shares = primitive::EmptyTensor<T>(dev_ctx, out_grad.dims());
    DivideRows<T, Count>(dev_ctx, out_grad, *counts, &shares);
    return TakeRows<T>(dev_ctx, shares, nodes, grads);
  }
  TakeRows<T>(dev_ctx, out_grad, nodes, grads);
  if ((reduce_op == "MAX" || reduce_op == "MIN") && grads->numel() > 0) {
    const DenseTensor results = RowsOf<T>(dev_ctx, *out, nodes);
    primitive::Elementwise<T, T, T, T>(
        dev_ctx, grads, ArrivedFunctor<primitive::ComputeType<T>>(), messages, results, *grads);
  }
}

// The sum of the rows of `grads` that each node sent.
template <typename T, typename Context>
void SumAtNodes(const Context& dev_ctx, const DenseTensor& grads, const DenseTensor& nodes, DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  const primitive::LookupTable table = primitive::TableAlong(*x_grad, 0);
  GetPrimitive<primitive::ScatterSum>(dev_ctx, grads.dtype())(dev_ctx, table, nodes, grads, x_grad);
}

}  // namespace phi::funcs
