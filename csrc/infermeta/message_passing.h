// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/scatter.h"
#include "infermeta/set_contiguous.h"

// InferMeta of the ops that send rows of a tensor along the edges of a graph.
namespace phi {

template <class Dim>
void CheckEdges(const MetaTensor<Dim>& src_index, const MetaTensor<Dim>& dst_index) {
  CheckIndexType("src_index", src_index);
  CheckIndexType("dst_index", dst_index);
  const auto is_vector = [](const BasicDDim<Dim>& dims) {
    return dims.size() == 1 || (dims.size() == 2 && dims[1] == 1);
  };
  PADDLE_ENFORCE(is_vector(src_index.dims()) && is_vector(dst_index.dims()) && src_index.dims(0) == dst_index.dims(0),
                 errors::InvalidArgument("expected vectors 'src_index' and 'dst_index' of one size, got the shapes %s "
                                         "and %s",
                                         src_index.dims(),
                                         dst_index.dims()));
}

// The dimensions of a message made of a row of x and one of y.
template <class Dim>
BasicDDim<Dim> MessageDims(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, const std::string& message_op) {
  PADDLE_ENFORCE(
      x.dims().size() > 0 && y.dims().size() > 0,
      errors::InvalidArgument("expected 'x' and 'y' with dimensions, got the shapes %s and %s", x.dims(), y.dims()));
  PADDLE_ENFORCE(
      y.dtype() == x.dtype(),
      errors::InvalidType(
          "argument 'y': expected the data type of 'x', %s, got %s", DataTypeName(x.dtype()), DataTypeName(y.dtype())));
  PADDLE_ENFORCE(message_op == "ADD" || message_op == "MUL",
                 errors::InvalidArgument("argument 'message_op': expected ADD or MUL, got %s", message_op));
  return BroadcastDims(slice_ddim(x.dims(), 1, x.dims().size()), slice_ddim(y.dims(), 1, y.dims().size()));
}

// The shape of what arrives, for messages of the dimensions `features`; returns the number of nodes.
template <class Dim>
void InferReceived(const MetaTensor<Dim>& x,
                   const MetaTensor<Dim>& src_index,
                   const MetaTensor<Dim>& dst_index,
                   const std::string& reduce_op,
                   const IntArrayBase<Dim>& out_size,
                   const BasicDDim<Dim>& features,
                   MetaTensor<Dim>* out,
                   MetaTensor<Dim>* dst_count) {
  CheckEdges(src_index, dst_index);
  PADDLE_ENFORCE(reduce_op == "SUM" || reduce_op == "MEAN" || reduce_op == "MAX" || reduce_op == "MIN",
                 errors::InvalidArgument("argument 'reduce_op': expected SUM, MEAN, MAX or MIN, got %s", reduce_op));
  PADDLE_ENFORCE(out_size.size() <= 1,
                 errors::InvalidArgument("argument 'out_size': expected one number, got %d", out_size.size()));
  const Dim nodes = out_size.size() == 1 && out_size[0] > 0 ? out_size[0] : x.dims(0);
  BasicDDim<Dim> dims{nodes};
  for (const Dim& size : features) dims.push_back(size);
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  dst_count->set_dims({nodes});
  dst_count->set_dtype(DataType::INT32);
}

template <class Dim>
void SendURecvInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& src_index,
                        const MetaTensor<Dim>& dst_index,
                        const std::string& reduce_op,
                        const IntArrayBase<Dim>& out_size,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* dst_count) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  const BasicDDim<Dim> features = slice_ddim(x.dims(), 1, x.dims().size());
  InferReceived(x, src_index, dst_index, reduce_op, out_size, features, out, dst_count);
}

template <class Dim>
void SendUERecvInferMeta(const MetaTensor<Dim>& x,
                         const MetaTensor<Dim>& y,
                         const MetaTensor<Dim>& src_index,
                         const MetaTensor<Dim>& dst_index,
                         const std::string& message_op,
                         const std::string& reduce_op,
                         const IntArrayBase<Dim>& out_size,
                         MetaTensor<Dim>* out,
                         MetaTensor<Dim>* dst_count) {
  const BasicDDim<Dim> features = MessageDims(x, y, message_op);
  InferReceived(x, src_index, dst_index, reduce_op, out_size, features, out, dst_count);
  PADDLE_ENFORCE(
      y.dims(0) == src_index.dims(0),
      errors::InvalidArgument(
          "argument 'y': expected a row for each of the %s edges, got the shape %s", src_index.dims(0), y.dims()));
}

template <class Dim>
void SendUVInferMeta(const MetaTensor<Dim>& x,
                     const MetaTensor<Dim>& y,
                     const MetaTensor<Dim>& src_index,
                     const MetaTensor<Dim>& dst_index,
                     const std::string& message_op,
                     MetaTensor<Dim>* out) {
  CheckEdges(src_index, dst_index);
  BasicDDim<Dim> dims{src_index.dims(0)};
  for (const Dim& size : MessageDims(x, y, message_op)) dims.push_back(size);
  SetContiguous(dims, x.dtype(), out);
}

// The edges by the numbers of nodes: those of x, then the other ones of `neighbors`, of which values tell how many.
template <class Dim>
void GraphReindexInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& neighbors,
                           const MetaTensor<Dim>& count,
                           MetaTensor<Dim>* reindex_src,
                           MetaTensor<Dim>* reindex_dst,
                           MetaTensor<Dim>* out_nodes) {
  const auto check = [](const char* name, const MetaTensor<Dim>& tensor) {
    CheckIndexType(name, tensor);
    const BasicDDim<Dim> dims = tensor.dims();
    PADDLE_ENFORCE(
        dims.size() == 1 || (dims.size() == 2 && dims[1] == 1),
        errors::InvalidArgument("argument '%s': expected a vector or a column, got the shape %s", name, dims));
  };
  check("x", x);
  check("neighbors", neighbors);
  check("count", count);
  CheckOneType("neighbors", neighbors, "x", x);
  const Dim nodes = x.dims(0), counts = count.dims(0);  // once for each type of edge
  PADDLE_ENFORCE(counts == nodes || (nodes > Dim(0) && counts % nodes == Dim(0)),
                 errors::InvalidArgument("argument 'count': expected numbers for each of the %s nodes of 'x', got the "
                                         "shape %s",
                                         nodes,
                                         count.dims()));
  SetContiguous({neighbors.dims(0)}, x.dtype(), reindex_src);
  SetContiguous({neighbors.dims(0)}, x.dtype(), reindex_dst);
  SetContiguous({Dim(kDecidedByValues)}, x.dtype(), out_nodes);
}

// Whether what came back from the forward op fits `out_grad`, whose features are those of `received`.
template <class Dim>
void CheckReceived(const MetaTensor<Dim>& received,
                   const MetaTensor<Dim>& out,
                   const MetaTensor<Dim>& dst_count,
                   const MetaTensor<Dim>& out_grad,
                   const std::string& reduce_op) {
  PADDLE_ENFORCE(
      received.dims() == out_grad.dims(),
      errors::InvalidArgument("argument 'out_grad': expected the shape %s, got %s", received.dims(), out_grad.dims()));
  CheckOneType("out_grad", out_grad, "x", received);
  const bool reads_out = reduce_op == "MAX" || reduce_op == "MIN";
  PADDLE_ENFORCE(!reads_out || (out && out.dims() == out_grad.dims() && out.dtype() == out_grad.dtype()),
                 errors::InvalidArgument("argument 'out': expected a tensor like 'out_grad' for %s", reduce_op));
  PADDLE_ENFORCE(reduce_op != "MEAN" ||
                     (dst_count && dst_count.dtype() == DataType::INT32 && dst_count.numel() == out_grad.dims(0)),
                 errors::InvalidArgument("argument 'dst_count': expected int32, a number for each row of 'out_grad'"));
}

template <class Dim>
void SendURecvGradInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& src_index,
                            const MetaTensor<Dim>& dst_index,
                            const MetaTensor<Dim>& out,
                            const MetaTensor<Dim>& dst_count,
                            const MetaTensor<Dim>& out_grad,
                            const std::string& reduce_op,
                            MetaTensor<Dim>* x_grad) {
  PADDLE_ENFORCE(out_grad.dims().size() > 0,
                 errors::InvalidArgument("argument 'out_grad': expected at least one dimension, got none"));
  Expected<Dim> received;
  Expected<Dim> counts;
  const std::vector<Dim> nodes{out_grad.dims(0)};
  SendURecvInferMeta(
      x, src_index, dst_index, reduce_op, IntArrayBase<Dim>(nodes.data(), nodes.size()), &received, &counts);
  CheckReceived<Dim>(received, out, dst_count, out_grad, reduce_op);
  ShareTarget(x, x_grad);
}

template <class Dim>
void SendUERecvGradInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& y,
                             const MetaTensor<Dim>& src_index,
                             const MetaTensor<Dim>& dst_index,
                             const MetaTensor<Dim>& out,
                             const MetaTensor<Dim>& dst_count,
                             const MetaTensor<Dim>& out_grad,
                             const std::string& message_op,
                             const std::string& reduce_op,
                             MetaTensor<Dim>* x_grad,
                             MetaTensor<Dim>* y_grad) {
  PADDLE_ENFORCE(out_grad.dims().size() > 0,
                 errors::InvalidArgument("argument 'out_grad': expected at least one dimension, got none"));
  Expected<Dim> received;
  Expected<Dim> counts;
  const std::vector<Dim> nodes{out_grad.dims(0)};
  const IntArrayBase<Dim> out_size(nodes.data(), nodes.size());
  SendUERecvInferMeta(x, y, src_index, dst_index, message_op, reduce_op, out_size, &received, &counts);
  CheckReceived<Dim>(received, out, dst_count, out_grad, reduce_op);
  ShareTarget(x, x_grad);
  ShareTarget(y, y_grad);
}

}  // namespace phi
