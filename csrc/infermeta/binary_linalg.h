// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"

// InferMeta of the ops with a weight matrix: matmul, embedding.
namespace phi {

template <class Dim>
void MatmulInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, bool transpose_x, bool transpose_y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  const int x_rank = x.dims().size();
  const int y_rank = y.dims().size();
  PADDLE_ENFORCE(
      x_rank > 0 && y_rank > 0,
      errors::InvalidArgument(
          "expected tensors with at least one dimension, got the shapes %s of 'x' and %s of 'y'", x.dims(), y.dims()));
  const int x_k = x_rank == 1 ? 0 : transpose_x ? x_rank - 2 : x_rank - 1;
  const int y_k = y_rank == 1 ? 0 : transpose_y ? y_rank - 1 : y_rank - 2;
  PADDLE_ENFORCE(
      x.dims(x_k) == y.dims(y_k),
      errors::InvalidArgument("dimension %d of 'x' and dimension %d of 'y' are multiplied: expected equal sizes, got "
                              "%d and %d, of the shapes %s (transpose_x %d) and %s (transpose_y %d)",
                              x_k,
                              y_k,
                              x.dims(x_k),
                              y.dims(y_k),
                              x.dims(),
                              transpose_x,
                              y.dims(),
                              transpose_y));
  BasicDDim<Dim> dims = BroadcastDims(slice_ddim(x.dims(), 0, x_rank > 2 ? x_rank - 2 : 0),
                                      slice_ddim(y.dims(), 0, y_rank > 2 ? y_rank - 2 : 0));
  if (x_rank > 1) dims.push_back(x.dims(transpose_x ? x_rank - 1 : x_rank - 2));
  if (y_rank > 1) dims.push_back(y.dims(transpose_y ? y_rank - 2 : y_rank - 1));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void BmmInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      x.dims().size() == 3 && y.dims().size() == 3,
      errors::InvalidArgument(
          "expected 3 dimensions of 'x' and of 'y', got the shapes %s and %s; use matmul", x.dims(), y.dims()));
  PADDLE_ENFORCE(
      x.dims(0) == y.dims(0),
      errors::InvalidArgument("expected equal sizes of dimension 0 of 'x' and 'y', the batch, got the shapes %s and "
                              "%s; use matmul to broadcast",
                              x.dims(),
                              y.dims()));
  MatmulInferMeta(x, y, false, false, out);
}

template <class Dim>
void EmbeddingInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& weight,
                        int64_t padding_idx,
                        MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      x.dtype() == DataType::INT32 || x.dtype() == DataType::INT64,
      errors::InvalidType("argument 'x': expected data type int32 or int64, got %s", DataTypeName(x.dtype())));
  PADDLE_ENFORCE(weight.dims().size() == 2,
                 errors::InvalidArgument("argument 'weight': expected 2 dimensions, got the shape %s", weight.dims()));
  PADDLE_ENFORCE(padding_idx >= -1,
                 errors::InvalidArgument("argument 'padding_idx': expected a row of 'weight', or -1 for none, got %d",
                                         padding_idx));
  BasicDDim<Dim> dims = x.dims();
  dims.push_back(weight.dims(1));
  out->set_dims(dims);
  out->set_dtype(weight.dtype());
}

}  // namespace phi
