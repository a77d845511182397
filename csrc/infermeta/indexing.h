// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/list_size.h"
#include "infermeta/view_dims.h"

// InferMeta of the ops whose tensors of indices or masks name elements of another tensor.
namespace phi {

// `indices` has the rank of `x` and, but along `axis`, no larger sizes.
template <class Dim>
void CheckAlongAxis(const char* name, const MetaTensor<Dim>& x, const MetaTensor<Dim>& indices, int64_t axis) {
  CheckIndexType("indices", indices);
  const int rank = x.dims().size();
  const int at = CanonicalAxis(axis, rank);
  PADDLE_ENFORCE(
      indices.dims().size() == rank,
      errors::InvalidArgument(
          "argument 'indices': expected as many dimensions as '%s', %d, got the shape %s", name, rank, indices.dims()));
  for (int i = 0; i < rank; ++i) {
    PADDLE_ENFORCE(i == at || indices.dims(i) <= x.dims(i),
                   errors::InvalidArgument("argument 'indices': expected at most the sizes of '%s', %s, outside of the "
                                           "axis %d, got %s",
                                           name,
                                           x.dims(),
                                           at,
                                           indices.dims()));
  }
}

template <class Dim>
void TakeAlongAxisInferMeta(const MetaTensor<Dim>& arr,
                            const MetaTensor<Dim>& indices,
                            int64_t axis,
                            MetaTensor<Dim>* out) {
  CheckAlongAxis("arr", arr, indices, axis);
  out->set_dims(indices.dims());
  out->set_dtype(arr.dtype());
}

template <class Dim>
void IndexSampleInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, MetaTensor<Dim>* out) {
  CheckIndexType("index", index);
  PADDLE_ENFORCE(x.dims().size() == 2 && index.dims().size() == 2 && x.dims(0) == index.dims(0),
                 errors::InvalidArgument("expected matrices 'x' and 'index' with equal numbers of rows, got the shapes "
                                         "%s and %s",
                                         x.dims(),
                                         index.dims()));
  out->set_dims(index.dims());
  out->set_dtype(x.dtype());
}

// The shape of the slices of x that `index` names, [..., depth].
template <class Dim>
BasicDDim<Dim> NdSliceDims(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index) {
  CheckIndexType("index", index);
  const int last = index.dims().size() - 1;
  PADDLE_ENFORCE(last >= 0, errors::InvalidArgument("argument 'index': expected at least one dimension, got none"));
  const int rank = x.dims().size();
  int depth = -1;
  for (int i = 0; i <= rank && depth < 0; ++i) depth = index.dims(last) == i ? i : -1;
  PADDLE_ENFORCE(
      depth >= 0,
      errors::InvalidArgument("argument 'index': expected at most %d coordinates, the dimensions of x, in the "
                              "last dimension, got the shape %s",
                              rank,
                              index.dims()));
  BasicDDim<Dim> dims = slice_ddim(index.dims(), 0, last);
  for (int i = depth; i < rank; ++i) dims.push_back(x.dims(i));
  return dims;
}

template <class Dim>
void GatherNdInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& index, MetaTensor<Dim>* out) {
  out->set_dims(NdSliceDims(x, index));
  out->set_dtype(x.dtype());
}

template <class Dim>
void CheckMask(const MetaTensor<Dim>& mask) {
  PADDLE_ENFORCE(mask.dtype() == DataType::BOOL,
                 errors::InvalidType("argument 'mask': expected data type bool, got %s", DataTypeName(mask.dtype())));
}

template <class Dim>
void MaskedFillInferMeta(const MetaTensor<Dim>& x,
                         const MetaTensor<Dim>& mask,
                         const MetaTensor<Dim>& value,
                         MetaTensor<Dim>* out) {
  CheckMask(mask);
  PADDLE_ENFORCE(value.dtype() == x.dtype(),
                 errors::InvalidType("argument 'value': expected the data type of 'x', %s, got %s",
                                     DataTypeName(x.dtype()),
                                     DataTypeName(value.dtype())));
  const BasicDDim<Dim> both = BroadcastDims(x.dims(), mask.dims(), "x", "mask");
  const BasicDDim<Dim> dims = BroadcastDims(both, value.dims(), "x, mask", "value");
  if (dims == x.dims()) {
    out->share_dims_and_strides(x);
  } else {
    out->set_dims(dims);
  }
  out->set_dtype(x.dtype());
}

template <class Dim>
void RepeatInterleaveInferMeta(
    const MetaTensor<Dim>& x, int64_t repeats, int64_t axis, int64_t output_size, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  PADDLE_ENFORCE(repeats >= 0,
                 errors::InvalidArgument("argument 'repeats': expected no negative number, got %d", repeats));
  BasicDDim<Dim> dims = x.dims();
  Dim& size = dims[CanonicalAxis(axis, dims.size())];
  size = CheckedMultiply(size, Dim(repeats));
  PADDLE_ENFORCE(output_size == -1 || size == output_size,
                 errors::InvalidArgument("argument 'output_size': expected -1 or %s, got %d", size, output_size));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void ExpandAsInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& y,
                       const std::vector<int64_t>& target_shape,
                       MetaTensor<Dim>* out) {
  const std::vector<Dim> shape = y ? vectorize(y.dims()) : std::vector<Dim>(target_shape.begin(), target_shape.end());
  PADDLE_ENFORCE(y || !target_shape.empty(), errors::InvalidArgument("expected 'y' or 'target_shape', got neither"));
  out->set_dims(ExpandedDims(x.dims(), IntArrayBase<Dim>(shape.data(), shape.size())));
  out->set_dtype(x.dtype());
}

template <class Dim>
void BroadcastTensorsInferMeta(const std::vector<const MetaTensor<Dim>*>& input, std::vector<MetaTensor<Dim>*> out) {
  PADDLE_ENFORCE(!input.empty(), errors::InvalidArgument("argument 'input': expected at least one tensor, got none"));
  BasicDDim<Dim> dims = input[0]->dims();
  for (const MetaTensor<Dim>* tensor : input) {
    PADDLE_ENFORCE(tensor->dtype() == input[0]->dtype(),
                   errors::InvalidType("argument 'input': expected one data type, got %s and %s",
                                       DataTypeName(input[0]->dtype()),
                                       DataTypeName(tensor->dtype())));
    dims = BroadcastDims(dims, tensor->dims(), "input", "input");
  }
  ExpectOneForEach("out", out, input);
  for (MetaTensor<Dim>* tensor : out) {
    if (tensor == nullptr) continue;
    tensor->set_dims(dims);
    tensor->set_dtype(input[0]->dtype());
  }
}

// The gradients of a list of tensors.
template <class Dim>
void UnchangedMultiInferMeta(const std::vector<const MetaTensor<Dim>*>& x, std::vector<MetaTensor<Dim>*> x_grad) {
  ExpectOneForEach("x_grad", x_grad, x);
  for (size_t i = 0; i < x_grad.size(); ++i) {
    if (x_grad[i] == nullptr) continue;
    x_grad[i]->share_dims(*x[i]);
    x_grad[i]->set_dtype(x[i]->dtype());
  }
}

template <class Dim>
void NonZeroInferMeta(const MetaTensor<Dim>& condition, MetaTensor<Dim>* out) {
  const int rank = condition.dims().size();
  PADDLE_ENFORCE(rank > 0, errors::InvalidArgument("argument 'condition': expected at least one dimension, got none"));
  out->set_dims({Dim(kDecidedByValues), Dim(rank)});
  out->set_dtype(DataType::INT64);
}

template <class Dim>
void MaskedSelectInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& mask, MetaTensor<Dim>* out) {
  CheckMask(mask);
  BroadcastDims(x.dims(), mask.dims(), "x", "mask");
  out->set_dims({Dim(kDecidedByValues)});
  out->set_dtype(x.dtype());
}

template <class Dim>
void MaskedSelectGradInferMeta(const MetaTensor<Dim>& x,
                               const MetaTensor<Dim>& mask,
                               const MetaTensor<Dim>& out_grad,
                               MetaTensor<Dim>* x_grad) {
  CheckMask(mask);
  BroadcastDims(x.dims(), mask.dims(), "x", "mask");
  PADDLE_ENFORCE(out_grad.dims().size() == 1,
                 errors::InvalidArgument("argument 'out_grad': expected a vector, got the shape %s", out_grad.dims()));
  CheckOneType("out_grad", out_grad, "x", x);
  x_grad->share_dims(x);
  x_grad->set_dtype(x.dtype());
}

}  // namespace phi
