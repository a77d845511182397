// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/list_size.h"

namespace phi {

// Shape without the reduced dimensions, or with 1 in their place; dtype of x.
template <class Dim>
void ReduceIntArrayAxisInferMeta(const MetaTensor<Dim>& x,
                                 const IntArrayBase<Dim>& axis,
                                 bool keepdim,
                                 MetaTensor<Dim>* out) {
  const auto reduced = ReducedAxes(axis, x.dims().size());
  BasicDDim<Dim> dims;
  for (int i = 0; i < x.dims().size(); ++i) {
    if (!reduced[i]) {
      dims.push_back(x.dims(i));
    } else if (keepdim) {
      dims.push_back(Dim(1));
    }
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  out->set_layout(x.layout());
}

// x may be known by its shape alone, so its strides do not count.
template <class Dim>
void ReduceGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* x_grad) {
  x_grad->set_dims(x.dims());
  x_grad->set_dtype(x.dtype());
  x_grad->set_layout(x.layout());
}

// Axes that are numbers, as InferMeta of axes that may be symbols takes them.
template <class Dim, class Number>
IntArrayBase<Dim> AxisNumbers(const std::vector<Number>& axis) {
  return std::vector<Dim>(axis.begin(), axis.end());
}

// A maximum or minimum of no elements does not exist.
template <class Dim>
void CheckNotEmpty(const MetaTensor<Dim>& x, const Dim& count, const char* reduced) {
  PADDLE_ENFORCE(count != 0,
                 errors::InvalidArgument("argument 'x': expected at least one element to reduce, got the shape %s, "
                                         "which has none %s",
                                         x.dims(),
                                         reduced));
}

// As ReduceIntArrayAxisInferMeta, for reductions that need an element.
template <class Dim>
void StrictReduceIntArrayAxisInferMeta(const MetaTensor<Dim>& x,
                                       const IntArrayBase<Dim>& axis,
                                       bool keepdim,
                                       MetaTensor<Dim>* out) {
  const auto reduced = ReducedAxes(axis, x.dims().size());
  for (int i = 0; i < x.dims().size(); ++i) {
    if (reduced[i]) CheckNotEmpty(x, x.dims(i), "along 'axis'");
  }
  ReduceIntArrayAxisInferMeta(x, axis, keepdim, out);
}

// The same, of an axis that is a list of numbers.
template <class Dim>
void StrictReduceInferMeta(const MetaTensor<Dim>& x,
                           const std::vector<int64_t>& axis,
                           bool keepdim,
                           MetaTensor<Dim>* out) {
  StrictReduceIntArrayAxisInferMeta(x, AxisNumbers<Dim>(axis), keepdim, out);
}

// Whether elements are other than 0.
template <class Dim>
void LogicalReduceInferMeta(const MetaTensor<Dim>& x,
                            const std::vector<int64_t>& axis,
                            bool keepdim,
                            MetaTensor<Dim>* out) {
  ReduceIntArrayAxisInferMeta(x, AxisNumbers<Dim>(axis), keepdim, out);
  out->set_dtype(DataType::BOOL);
}

template <class Dim>
void ReduceAllIntArrayAxisInferMeta(
    const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, bool keepdim, bool reduce_all, MetaTensor<Dim>* out) {
  ReduceIntArrayAxisInferMeta(x, reduce_all ? IntArrayBase<Dim>() : axis, keepdim, out);
}

template <class Dim>
void LogsumexpInferMeta(
    const MetaTensor<Dim>& x, const std::vector<int>& axis, bool keepdim, bool reduce_all, MetaTensor<Dim>* out) {
  ReduceAllIntArrayAxisInferMeta(x, AxisNumbers<Dim>(axis), keepdim, reduce_all, out);
}

template <class Dim>
void MeanAllInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  ReduceIntArrayAxisInferMeta(x, {}, false, out);
}

template <class Dim>
void SquaredL2NormInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->set_dims({Dim(1)});
  out->set_dtype(x.dtype());
}

// A norm along one dimension, or with `asvector` of all elements; that of none is 0.
template <class Dim>
void PNormInferMeta(const MetaTensor<Dim>& x, int64_t axis, bool keepdim, bool asvector, MetaTensor<Dim>* out) {
  const std::vector<int64_t> axes(asvector ? 0 : 1, axis);
  ReduceIntArrayAxisInferMeta(x, AxisNumbers<Dim>(axes), keepdim, out);
}

// Indices along one dimension, or with `flatten` in the flattened x. What has none is as one of one element.
template <class Dim>
void ArgMinMaxInferMeta(
    const MetaTensor<Dim>& x, const Scalar& axis, bool keepdims, bool flatten, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      dtype == DataType::INT32 || dtype == DataType::INT64,
      errors::InvalidArgument("argument 'dtype': expected int32 or int64 for indices, got %s", DataTypeName(dtype)));
  const int rank = x.dims().size();
  const int dim = flatten ? 0 : CanonicalAxis(axis.to<int64_t>(), rank);
  const Dim count = flatten ? product(x.dims()) : rank == 0 ? Dim(1) : x.dims(dim);
  CheckNotEmpty(x, count, flatten ? "at all" : "along 'axis'");
  PADDLE_ENFORCE(dtype == DataType::INT64 || count <= std::numeric_limits<int32_t>::max(),
                 errors::InvalidArgument("argument 'dtype': %d elements need indices of int64, got int32", count));
  BasicDDim<Dim> dims;
  for (int i = 0; i < rank; ++i) {
    if (!flatten && i != dim) {
      dims.push_back(x.dims(i));
    } else if (keepdims) {
      dims.push_back(Dim(1));
    }
  }
  if (rank == 0 && keepdims && !flatten) dims.push_back(Dim(1));
  out->set_dims(dims);
  out->set_dtype(dtype);
}

// The shape of x, which `flatten` makes one dimension.
template <class Dim>
void CumScalarAxisInferMeta(
    const MetaTensor<Dim>& x, const Scalar& axis, bool flatten, bool, bool, MetaTensor<Dim>* out) {
  const BasicDDim<Dim> dims = flatten ? BasicDDim<Dim>{product(x.dims())} : x.dims();
  CanonicalAxis(axis.to<int64_t>(), dims.size());
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

// The elements of x along the axis in another order, and where they were.
template <class Dim>
void ArgsortInferMeta(const MetaTensor<Dim>& x, int64_t axis, MetaTensor<Dim>* out, MetaTensor<Dim>* indices) {
  CanonicalAxis(axis, x.dims().size());
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
  indices->set_dims(x.dims());
  indices->set_dtype(DataType::INT64);
}

template <class Dim>
void AddNInferMeta(const std::vector<const MetaTensor<Dim>*>& inputs, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(!inputs.empty(), errors::InvalidArgument("argument 'inputs': expected at least one tensor, got none"));
  const MetaTensor<Dim>& first = *inputs[0];
  for (const MetaTensor<Dim>* input : inputs) {
    PADDLE_ENFORCE(input->dtype() == first.dtype(),
                   errors::InvalidType("argument 'inputs': expected tensors of one data type, got %s and %s",
                                       DataTypeName(first.dtype()),
                                       DataTypeName(input->dtype())));
    PADDLE_ENFORCE(input->dims() == first.dims(),
                   errors::InvalidArgument(
                       "argument 'inputs': expected tensors of one shape, got %s and %s", first.dims(), input->dims()));
  }
  out->set_dims(first.dims());
  out->set_dtype(first.dtype());
}

template <class Dim>
void AddNGradInferMeta(const std::vector<const MetaTensor<Dim>*>& inputs, std::vector<MetaTensor<Dim>*> inputs_grad) {
  ExpectOneForEach("inputs_grad", inputs_grad, inputs);
  for (size_t i = 0; i < inputs_grad.size(); ++i) {
    if (inputs_grad[i]) ReduceGradInferMeta(*inputs[i], inputs_grad[i]);
  }
}

template <class Dim>
void ClipByNormInferMeta(const MetaTensor<Dim>& x, double max_norm, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(max_norm > 0,
                 errors::InvalidArgument("argument 'max_norm': expected a number above 0, got %f", max_norm));
  ReduceGradInferMeta(x, out);
}

template <class Dim>
void AccuracyInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& indices,
                       const MetaTensor<Dim>& label,
                       MetaTensor<Dim>* accuracy,
                       MetaTensor<Dim>* correct,
                       MetaTensor<Dim>* total) {
  PADDLE_ENFORCE(
      indices.dims().size() == 2 && x.dims() == indices.dims(),
      errors::InvalidArgument(
          "arguments 'x' and 'indices': expected matrices of one shape, got %s and %s", x.dims(), indices.dims()));
  PADDLE_ENFORCE(label.dims().size() == 2 && label.dims(0) == indices.dims(0) && label.dims(1) == 1,
                 errors::InvalidArgument("argument 'label': expected the shape [%s, 1], a label for each row of "
                                         "'indices', got %s",
                                         indices.dims(0),
                                         label.dims()));
  PADDLE_ENFORCE(indices.dtype() == DataType::INT64,
                 errors::InvalidType("argument 'indices': expected int64, got %s", DataTypeName(indices.dtype())));
  PADDLE_ENFORCE(label.dtype() == DataType::INT64 || label.dtype() == DataType::INT32,
                 errors::InvalidType("argument 'label': expected int32 or int64, got %s", DataTypeName(label.dtype())));
  for (MetaTensor<Dim>* out : {accuracy, correct, total}) {
    out->set_dims({});
    out->set_dtype(out == accuracy ? DataType::FLOAT32 : DataType::INT32);
  }
}

// Integers and bool are summed as int64 unless `dtype` says otherwise.
template <class Dim>
void SumInferMeta(
    const MetaTensor<Dim>& x, const IntArrayBase<Dim>& axis, DataType dtype, bool keepdim, MetaTensor<Dim>* out) {
  ReduceIntArrayAxisInferMeta(x, axis, keepdim, out);
  const bool widens = x.dtype() == DataType::BOOL || IsIntegralType(x.dtype());
  out->set_dtype(dtype != DataType::UNDEFINED ? dtype : widens ? DataType::INT64 : x.dtype());
}

}  // namespace phi
