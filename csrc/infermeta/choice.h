// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/list_size.h"
#include "infermeta/set_contiguous.h"

// InferMeta of ops that take a part of a tensor, or in which numbers choose what to take.
namespace phi {

// Where a part begins along each axis, and that it is inside of x.
template <class Dim>
void CheckCrop(const MetaTensor<Dim>& x, const BasicDDim<Dim>& dims, const IntArrayBase<Dim>& offsets) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(offsets.size() == 0 || static_cast<int>(offsets.size()) == rank,
                 errors::InvalidArgument("argument 'offsets': expected none or a number for each of the %d dimensions, "
                                         "got %d",
                                         rank,
                                         offsets.size()));
  for (int i = 0; i < rank; ++i) {
    const Dim begin = offsets.size() == 0 ? Dim(0) : Dim(offsets[i]);
    PADDLE_ENFORCE(begin >= 0 && dims[i] >= 0 && begin <= x.dims(i) - dims[i],
                   errors::InvalidArgument("expected a part inside of 'x', %s, got the shape %s from %s on along the "
                                           "dimension %d",
                                           x.dims(),
                                           dims,
                                           begin,
                                           i));
  }
}

template <class Dim>
void CropInferMeta(const MetaTensor<Dim>& x,
                   const IntArrayBase<Dim>& shape,
                   const IntArrayBase<Dim>& offsets,
                   MetaTensor<Dim>* out) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(static_cast<int>(shape.size()) == rank,
                 errors::InvalidArgument(
                     "argument 'shape': expected a size for each of the %d dimensions, got %d", rank, shape.size()));
  BasicDDim<Dim> dims = x.dims();
  for (int i = 0; i < rank; ++i) {
    const bool is_rest = Dim(shape[i]) == -1;
    if (!is_rest) {
      dims[i] = shape[i];
    } else if (static_cast<int>(offsets.size()) == rank) {
      dims[i] = dims[i] - offsets[i];
    }
  }
  CheckCrop(x, dims, offsets);
  SetContiguous(dims, x.dtype(), out);
}

template <class Dim>
void CropGradInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& out_grad,
                       const IntArrayBase<Dim>& offsets,
                       MetaTensor<Dim>* x_grad) {
  PADDLE_ENFORCE(
      out_grad.dims().size() == x.dims().size(),
      errors::InvalidArgument("argument 'out_grad': expected %d dimensions, got %s", x.dims().size(), out_grad.dims()));
  CheckOneType("out_grad", out_grad, "x", x);
  CheckCrop(x, out_grad.dims(), offsets);
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

template <class Dim>
void MultiplexInferMeta(const std::vector<const MetaTensor<Dim>*>& inputs,
                        const MetaTensor<Dim>& index,
                        MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(inputs.size() >= 2,
                 errors::InvalidArgument("argument 'inputs': expected at least two tensors, got %d", inputs.size()));
  CheckIndexType("index", index);
  for (const MetaTensor<Dim>* x : inputs) {
    PADDLE_ENFORCE(
        x->dims().size() >= 2 && Same(x->dims(), inputs[0]->dims()),
        errors::InvalidArgument("argument 'inputs': expected tensors of one shape, of two dimensions at least, "
                                "got %s and %s",
                                inputs[0]->dims(),
                                x->dims()));
    PADDLE_ENFORCE(x->dtype() == inputs[0]->dtype(),
                   errors::InvalidType("argument 'inputs': expected tensors of one data type, got %s and %s",
                                       DataTypeName(inputs[0]->dtype()),
                                       DataTypeName(x->dtype())));
  }
  PADDLE_ENFORCE(index.dims().size() == 2 && index.dims(1) == 1 && index.dims(0) <= inputs[0]->dims(0),
                 errors::InvalidArgument("argument 'index': expected the shape [rows, 1] with at most %s rows, got %s",
                                         inputs[0]->dims(0),
                                         index.dims()));
  BasicDDim<Dim> dims = inputs[0]->dims();
  dims[0] = index.dims(0);
  SetContiguous(dims, inputs[0]->dtype(), out);
}

template <class Dim>
void MultiplexGradInferMeta(const std::vector<const MetaTensor<Dim>*>& inputs,
                            const MetaTensor<Dim>& index,
                            const MetaTensor<Dim>& out_grad,
                            std::vector<MetaTensor<Dim>*> inputs_grad) {
  Expected<Dim> expected;
  MultiplexInferMeta<Dim>(inputs, index, &expected);
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(expected));
  ExpectOneForEach("inputs_grad", inputs_grad, inputs);
  for (size_t i = 0; i < inputs_grad.size(); ++i) SetContiguous(inputs[i]->dims(), inputs[i]->dtype(), inputs_grad[i]);
}

template <class Dim>
void IndexSelectStridedInferMeta(const MetaTensor<Dim>& x, int64_t index, int64_t axis, MetaTensor<Dim>* out) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank > 0, errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  const int at = CanonicalAxis(axis, rank);
  const Dim size = x.dims(at);
  PADDLE_ENFORCE(Dim(index) >= -size && Dim(index) < size,
                 errors::OutOfRange("argument 'index': expected a value in [-%s, %s), got %d", size, size, index));
  BasicDDim<Dim> dims = slice_ddim(x.dims(), 0, at);
  for (int i = at + 1; i < rank; ++i) dims.push_back(x.dims(i));
  SetContiguous(dims, x.dtype(), out);
}

template <class Dim>
void IndexSelectStridedGradInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& out_grad, int64_t index, int64_t axis, MetaTensor<Dim>* x_grad) {
  Expected<Dim> expected;
  IndexSelectStridedInferMeta<Dim>(x, index, axis, &expected);
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(expected));
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

template <class Dim>
void ShardIndexInferMeta(
    const MetaTensor<Dim>& input, int64_t index_num, int64_t nshards, int64_t shard_id, int64_t, MetaTensor<Dim>* out) {
  const int rank = input.dims().size();
  PADDLE_ENFORCE(
      rank >= 2 && input.dims(rank - 1) == 1,
      errors::InvalidArgument("argument 'input': expected at least two dimensions, of which the last is 1, got "
                              "the shape %s",
                              input.dims()));
  PADDLE_ENFORCE(index_num > 0,
                 errors::InvalidArgument("argument 'index_num': expected at least 1, got %d", index_num));
  PADDLE_ENFORCE(nshards > 0, errors::InvalidArgument("argument 'nshards': expected at least 1, got %d", nshards));
  PADDLE_ENFORCE(
      shard_id >= 0 && shard_id < nshards,
      errors::InvalidArgument("argument 'shard_id': expected a value in [0, %d), got %d", nshards, shard_id));
  SetContiguous(input.dims(), input.dtype(), out);
}

template <class Dim>
void GatherTreeInferMeta(const MetaTensor<Dim>& ids, const MetaTensor<Dim>& parents, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      ids.dims().size() == 3 && Same(ids.dims(), parents.dims()),
      errors::InvalidArgument("expected one shape [steps, batch, beams] of 'ids' and 'parents', got %s and %s",
                              ids.dims(),
                              parents.dims()));
  PADDLE_ENFORCE(ids.dtype() == parents.dtype(),
                 errors::InvalidType("expected one data type of 'ids' and 'parents', got %s and %s",
                                     DataTypeName(ids.dtype()),
                                     DataTypeName(parents.dtype())));
  SetContiguous(ids.dims(), ids.dtype(), out);
}

template <class Dim>
void IsEmptyInferMeta(const MetaTensor<Dim>&, MetaTensor<Dim>* out) {
  SetContiguous(BasicDDim<Dim>{}, DataType::BOOL, out);
}

template <class Dim>
void ReduceAsInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& target, MetaTensor<Dim>* out) {
  const int ahead = x.dims().size() - target.dims().size();
  bool fits = ahead >= 0;
  for (int i = 0; fits && i < target.dims().size(); ++i) {
    fits = target.dims(i) == x.dims(i + ahead) || target.dims(i) == 1;
  }
  PADDLE_ENFORCE(
      fits,
      errors::InvalidArgument(
          "argument 'target': expected a shape that broadcasts to that of 'x', %s, got %s", x.dims(), target.dims()));
  const bool is_small = x.dtype() == DataType::BOOL || x.dtype() == DataType::INT32;
  SetContiguous(target.dims(), is_small ? DataType::INT64 : x.dtype(), out);
}

template <class Dim>
void ReduceAsGradInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& target,
                           const MetaTensor<Dim>& out_grad,
                           MetaTensor<Dim>* x_grad) {
  Expected<Dim> expected;
  ReduceAsInferMeta<Dim>(x, target, &expected);
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(expected));
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

}  // namespace phi
