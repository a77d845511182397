// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/one_process.h"
#include "infermeta/set_contiguous.h"

// InferMeta of the ops of which a size is found in the values of a tensor.
namespace phi {

template <class Dim>
void SequenceMaskInferMeta(const MetaTensor<Dim>& x, const Scalar& max_len, DataType out_dtype, MetaTensor<Dim>* y) {
  PADDLE_ENFORCE(out_dtype != DataType::UNDEFINED,
                 errors::InvalidArgument("argument 'out_dtype': expected a data type, got none"));
  const auto length = max_len.to<int64_t>();
  BasicDDim<Dim> dims = x.dims();
  dims.push_back(Dim(length < 0 ? kDecidedByValues : length));
  y->set_dims(dims);
  y->set_dtype(out_dtype);
}

inline void CheckPlacesDtype(DataType dtype) {
  PADDLE_ENFORCE(dtype == DataType::INT32 || dtype == DataType::INT64,
                 errors::InvalidType("argument 'dtype': expected int32 or int64, got %s", DataTypeName(dtype)));
}

// As many of the slices of x along the one axis of `axis`, or of its elements, as are found. Returns how many x has.
template <class Dim>
Dim SetFoundSlices(const MetaTensor<Dim>& x, const std::vector<int>& axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(axis.size() <= 1,
                 errors::InvalidArgument("argument 'axis': expected at most one axis, got %d of them", axis.size()));
  PADDLE_ENFORCE(axis.empty() || x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  BasicDDim<Dim> dims{Dim(kDecidedByValues)};
  Dim slices = x.numel();
  if (!axis.empty()) {
    dims = x.dims();
    Dim& size = dims[CanonicalAxis(axis[0], dims.size())];
    slices = size;
    size = kDecidedByValues;
  }
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  return slices;
}

template <class Dim>
void UniqueInferMeta(const MetaTensor<Dim>& x,
                     bool return_index,
                     bool return_inverse,
                     bool return_counts,
                     const std::vector<int>& axis,
                     DataType dtype,
                     MetaTensor<Dim>* out,
                     MetaTensor<Dim>* indices,
                     MetaTensor<Dim>* inverse,
                     MetaTensor<Dim>* counts) {
  CheckPlacesDtype(dtype);
  const Dim slices = SetFoundSlices(x, axis, out);
  SetContiguous({Dim(return_index ? kDecidedByValues : 0)}, dtype, indices);
  SetContiguous({return_inverse ? slices : Dim(0)}, dtype, inverse);
  SetContiguous({Dim(return_counts ? kDecidedByValues : 0)}, dtype, counts);
}

template <class Dim>
void UniqueConsecutiveInferMeta(const MetaTensor<Dim>& x,
                                bool return_inverse,
                                bool return_counts,
                                const std::vector<int>& axis,
                                DataType dtype,
                                MetaTensor<Dim>* out,
                                MetaTensor<Dim>* index,
                                MetaTensor<Dim>* counts) {
  const bool is_read = return_inverse || return_counts;
  if (is_read) CheckPlacesDtype(dtype);
  const DataType of_places = is_read ? dtype : DataType::INT64;
  const Dim slices = SetFoundSlices(x, axis, out);
  SetContiguous({return_inverse ? slices : Dim(0)}, of_places, index);
  SetContiguous({Dim(return_counts ? kDecidedByValues : 0)}, of_places, counts);
}

// Checks what says how often the slices of x are repeated, and returns their axis.
template <class Dim>
int CheckRepeats(const MetaTensor<Dim>& x, const MetaTensor<Dim>& repeats, int64_t axis) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  CheckIndexType("repeats", repeats);
  const int at = CanonicalAxis(axis, x.dims().size());
  PADDLE_ENFORCE(
      repeats.dims().size() == 1 && (repeats.dims(0) == x.dims(at) || repeats.dims(0) == 1),
      errors::InvalidArgument(
          "argument 'repeats': expected a vector of 1 or %s numbers, got the shape %s", x.dims(at), repeats.dims()));
  return at;
}

template <class Dim>
void RepeatInterleaveWithTensorIndexInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& repeats, int64_t axis, int64_t output_size, MetaTensor<Dim>* out) {
  const int at = CheckRepeats(x, repeats, axis);
  PADDLE_ENFORCE(
      output_size >= -1,
      errors::InvalidArgument("argument 'output_size': expected -1 or the sum of 'repeats', got %d", output_size));
  BasicDDim<Dim> dims = x.dims();
  dims[at] = output_size == -1 ? kDecidedByValues : output_size;
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

template <class Dim>
void RepeatInterleaveWithTensorIndexGradInferMeta(const MetaTensor<Dim>& x,
                                                  const MetaTensor<Dim>& repeats,
                                                  const MetaTensor<Dim>& out_grad,
                                                  int64_t axis,
                                                  MetaTensor<Dim>* x_grad) {
  const int at = CheckRepeats(x, repeats, axis);
  bool fits = out_grad.dims().size() == x.dims().size();
  for (int i = 0; i < x.dims().size() && fits; ++i) fits = i == at || Same(out_grad.dims(i), x.dims(i));
  PADDLE_ENFORCE(
      fits,
      errors::InvalidArgument("argument 'out_grad': expected the shape of 'x', %s, but along axis %d, got %s",
                              x.dims(),
                              at,
                              out_grad.dims()));
  CheckOneType("out_grad", out_grad, "x", x);
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

template <class Dim>
void CheckRealNumber(const char* argument, const MetaTensor<Dim>& one) {
  PADDLE_ENFORCE(
      one.numel() == 1 && !IsComplexType(one.dtype()),
      errors::InvalidArgument(
          "argument '%s': expected one real number, got %s%s", argument, DataTypeName(one.dtype()), one.dims()));
}

template <class Dim>
void LinspaceInferMeta(const MetaTensor<Dim>& start,
                       const MetaTensor<Dim>& stop,
                       const MetaTensor<Dim>& number,
                       DataType dtype,
                       MetaTensor<Dim>* out) {
  CheckRealNumber("start", start);
  CheckRealNumber("stop", stop);
  CheckRealNumber("number", number);
  CheckIndexType("number", number);
  out->set_dims({Dim(kDecidedByValues)});
  out->set_dtype(dtype == DataType::UNDEFINED ? start.dtype() : dtype);
}

template <class Dim>
void BincountInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& weights,
                       const Scalar& minlength,
                       MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() == 1,
                 errors::InvalidArgument("argument 'x': expected one dimension, got the shape %s", x.dims()));
  PADDLE_ENFORCE(
      !weights || Same(weights.dims(), x.dims()),
      errors::InvalidArgument("argument 'weights': expected the shape %s of 'x', got %s", x.dims(), weights.dims()));
  PADDLE_ENFORCE(
      !weights || !IsComplexType(weights.dtype()),
      errors::InvalidType("argument 'weights': expected real numbers, got %s", DataTypeName(weights.dtype())));
  PADDLE_ENFORCE(minlength.to<int64_t>() >= 0,
                 errors::InvalidArgument("argument 'minlength': expected at least 0, got %d", minlength.to<int64_t>()));
  out->set_dims({Dim(kDecidedByValues)});
  const DataType summed = weights && weights.dtype() == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::FLOAT64;
  out->set_dtype(weights ? summed : DataType::INT64);
}

template <class Dim>
void ViterbiDecodeInferMeta(const MetaTensor<Dim>& potentials,
                            const MetaTensor<Dim>& transition_params,
                            const MetaTensor<Dim>& lengths,
                            bool include_bos_eos_tag,
                            MetaTensor<Dim>* scores,
                            MetaTensor<Dim>* path) {
  const int tags = include_bos_eos_tag ? 2 : 1;
  PADDLE_ENFORCE(
      potentials.dims().size() == 3 && potentials.dims(1) >= 1 && potentials.dims(2) >= tags,
      errors::InvalidArgument("argument 'potentials': expected [batch, steps, tags] with a step and %d tags at least, "
                              "got the shape %s",
                              tags,
                              potentials.dims()));
  const BasicDDim<Dim> square{potentials.dims(2), potentials.dims(2)};
  PADDLE_ENFORCE(Same(transition_params.dims(), square),
                 errors::InvalidArgument(
                     "argument 'transition_params': expected the shape %s, got %s", square, transition_params.dims()));
  CheckOneType("transition_params", transition_params, "potentials", potentials);
  const BasicDDim<Dim> batch{potentials.dims(0)};
  PADDLE_ENFORCE(Same(lengths.dims(), batch),
                 errors::InvalidArgument("argument 'lengths': expected the shape %s, got %s", batch, lengths.dims()));
  CheckIndexType("lengths", lengths);
  SetContiguous(batch, potentials.dtype(), scores);
  SetContiguous({potentials.dims(0), Dim(kDecidedByValues)}, DataType::INT64, path);
}

template <class Dim>
void ClassCenterSampleInferMeta(const MetaTensor<Dim>& label,
                                int64_t num_classes,
                                int64_t num_samples,
                                int64_t rank,
                                int64_t nranks,
                                MetaTensor<Dim>* remapped_label,
                                MetaTensor<Dim>* sampled_local_class_center) {
  CheckOneProcess(rank, nranks);
  PADDLE_ENFORCE(num_classes > 0 && num_samples > 0 && num_samples <= num_classes,
                 errors::InvalidArgument(
                     "arguments 'num_samples' and 'num_classes': expected 1 to all of some classes, got %d of %d",
                     num_samples,
                     num_classes));
  PADDLE_ENFORCE(label.dims().size() == 1,
                 errors::InvalidArgument("argument 'label': expected one dimension, got the shape %s", label.dims()));
  CheckIndexType("label", label);
  SetContiguous(label.dims(), label.dtype(), remapped_label);
  SetContiguous({Dim(kDecidedByValues)}, label.dtype(), sampled_local_class_center);
}

template <class Dim>
void LogspaceInferMeta(const MetaTensor<Dim>& start,
                       const MetaTensor<Dim>& stop,
                       const MetaTensor<Dim>& num,
                       const MetaTensor<Dim>& base,
                       DataType dtype,
                       MetaTensor<Dim>* out) {
  CheckRealNumber("start", start);
  CheckRealNumber("stop", stop);
  CheckRealNumber("num", num);
  CheckRealNumber("base", base);
  CheckIndexType("num", num);
  out->set_dims({Dim(kDecidedByValues)});
  out->set_dtype(dtype == DataType::UNDEFINED ? start.dtype() : dtype);
}

}  // namespace phi
