// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/list_size.h"

// InferMeta of ops that arrange the elements of a tensor in another way, or search among them.
namespace phi {

template <class Dim>
void AsStridedInferMeta(const MetaTensor<Dim>& input,
                        const std::vector<int64_t>& dims,
                        const std::vector<int64_t>& stride,
                        int64_t offset,
                        MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(dims.size() == stride.size(),
                 errors::InvalidArgument(
                     "argument 'stride': expected %d numbers, as many as sizes, got %d", dims.size(), stride.size()));
  const auto bytes = static_cast<int64_t>(SizeOf(input.dtype()));
  PADDLE_ENFORCE(offset >= 0 && offset % bytes == 0,
                 errors::InvalidArgument("argument 'offset': expected bytes of whole elements, got %d", offset));
  BasicDDim<Dim> shape(static_cast<int>(dims.size()), Dim(1));
  int64_t last = offset / bytes;
  bool fits = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    PADDLE_ENFORCE(
        dims[i] >= 0 && stride[i] >= 0 && dims[i] < (int64_t{1} << 31) && stride[i] < (int64_t{1} << 31),
        errors::InvalidArgument(
            "arguments 'dims' and 'stride': expected numbers from 0 to 2^31, got %d and %d", dims[i], stride[i]));
    shape[static_cast<int>(i)] = Dim(dims[i]);
    fits = fits && !__builtin_add_overflow(last, (dims[i] - 1) * stride[i], &last);
  }
  PADDLE_ENFORCE(fits, errors::OutOfRange("the last element is more than 2^63 - 1 from the begin of 'input'"));
  PADDLE_ENFORCE(product(shape) == 0 || Dim(last) < input.numel(),
                 errors::OutOfRange("the last element is number %d of 'input', which has %s", last, input.numel()));
  out->set_dims(shape);
  out->set_dtype(input.dtype());
}

template <class Dim>
void TensorUnfoldInferMeta(
    const MetaTensor<Dim>& input, int64_t axis, int64_t size, int64_t step, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(input.dims().size() > 0,
                 errors::InvalidArgument("argument 'input': expected at least one dimension, got none"));
  const int at = CanonicalAxis(axis, input.dims().size());
  PADDLE_ENFORCE(step > 0, errors::InvalidArgument("argument 'step': expected at least 1, got %d", step));
  PADDLE_ENFORCE(
      size >= 0 && input.dims(at) >= size,
      errors::InvalidArgument(
          "argument 'size': expected 0 to %s, the size of axis %d of 'input', got %d", input.dims(at), at, size));
  BasicDDim<Dim> dims = input.dims();
  dims[at] = (dims[at] - Dim(size)) / Dim(step) + Dim(1);
  dims.push_back(Dim(size));
  out->set_dims(dims);
  out->set_dtype(input.dtype());
}

template <class Dim>
void ViewDtypeInferMeta(const MetaTensor<Dim>& input, DataType dtype, MetaTensor<Dim>* out) {
  const auto from = static_cast<int64_t>(SizeOf(input.dtype()));
  const auto to = static_cast<int64_t>(SizeOf(dtype));
  BasicDDim<Dim> dims = input.dims();
  if (from != to) {
    PADDLE_ENFORCE(dims.size() > 0,
                   errors::InvalidArgument("argument 'input': expected a dimension to resize, got none"));
    Dim& last = dims[dims.size() - 1];
    const Dim bytes = CheckedMultiply(last, Dim(from));
    last = bytes / Dim(to);
    PADDLE_ENFORCE(last * Dim(to) == bytes,
                   errors::InvalidArgument("argument 'dtype': the last dimension of %s, of %s bytes, holds no whole %s",
                                           input.dims(),
                                           bytes,
                                           DataTypeName(dtype)));
  }
  out->set_dims(dims);
  out->set_dtype(dtype);
}

template <class Dim>
void ViewShapeInferMeta(const MetaTensor<Dim>& input, const std::vector<int64_t>& dims, MetaTensor<Dim>* out) {
  int unknown = -1;
  BasicDDim<Dim> shape(static_cast<int>(dims.size()), Dim(1));
  for (int i = 0; i < shape.size(); ++i) {
    PADDLE_ENFORCE(dims[i] >= 0 || (dims[i] == -1 && unknown < 0),
                   errors::InvalidArgument("argument 'dims': expected sizes and one -1 at most, got %d", dims[i]));
    if (dims[i] < 0) unknown = i;
    shape[i] = Dim(dims[i] < 0 ? 1 : dims[i]);
  }
  const Dim known = product(shape);
  if (unknown >= 0 && known != 0) shape[unknown] = input.numel() / known;
  PADDLE_ENFORCE(product(shape) == input.numel() && (unknown < 0 || known != 0),
                 errors::InvalidArgument(
                     "argument 'dims': expected sizes for the %s elements of 'input', got %s", input.numel(), shape));
  out->set_dims(shape);
  out->set_dtype(input.dtype());
}

template <class Dim>
void UnStackInferMeta(const MetaTensor<Dim>& x, int64_t axis, int64_t num, std::vector<MetaTensor<Dim>*> out) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  const int at = CanonicalAxis(axis, x.dims().size());
  PADDLE_ENFORCE(
      x.dims(at) == num,
      errors::InvalidArgument("argument 'num': expected %s, the size of axis %d of 'x', got %d", x.dims(at), at, num));
  BasicDDim<Dim> dims;
  for (int i = 0; i < x.dims().size(); ++i) {
    if (i != at) dims.push_back(x.dims(i));
  }
  ExpectListSize("out", out, Dim(num));
  for (MetaTensor<Dim>* one : out) {
    if (one == nullptr) continue;
    one->set_dims(dims);
    one->set_dtype(x.dtype());
  }
}

template <class Dim>
void ReverseInferMeta(const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!axis.empty(), errors::InvalidArgument("argument 'axis': expected at least one axis, got none"));
  ReducedAxes(axis, x.dims().size());
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

}  // namespace phi
