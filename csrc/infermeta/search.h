// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/data_types.h"

// InferMeta of ops that search, or count what they find.
namespace phi {

template <class Dim>
void RenormInferMeta(const MetaTensor<Dim>& x, double p, int64_t axis, double max_norm, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() >= 1,
                 errors::InvalidArgument("argument 'x': expected at least 1 dimension, got the shape %s", x.dims()));
  CanonicalAxis(axis, x.dims().size());
  PADDLE_ENFORCE(p > 0, errors::InvalidArgument("argument 'p': expected a number above 0, got %f", p));
  PADDLE_ENFORCE(max_norm >= 0, errors::InvalidArgument("argument 'max_norm': expected at least 0, got %f", max_norm));
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

template <class Dim>
void HistogramInferMeta(const MetaTensor<Dim>& input,
                        const MetaTensor<Dim>& weight,
                        int64_t bins,
                        double min,
                        double max,
                        bool density,
                        MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(bins >= 1 && bins < (int64_t{1} << 31),
                 errors::InvalidArgument("argument 'bins': expected at least 1, got %d", bins));
  PADDLE_ENFORCE(min <= max && max - min < std::numeric_limits<double>::infinity(),
                 errors::InvalidArgument("argument 'max': expected a finite range from 'min', got [%f, %f]", min, max));
  if (weight) {
    PADDLE_ENFORCE(weight.dims() == input.dims(),
                   errors::InvalidArgument(
                       "argument 'weight': expected the shape of 'input', %s, got %s", input.dims(), weight.dims()));
  }
  out->set_dims(BasicDDim<Dim>{Dim(bins)});
  out->set_dtype(density || weight ? DataType::FLOAT32 : DataType::INT64);
}

template <class Dim>
void SearchsortedInferMeta(const MetaTensor<Dim>& sorted_sequence,
                           const MetaTensor<Dim>& values,
                           bool out_int32,
                           MetaTensor<Dim>* out) {
  CheckSameDataType("sorted_sequence", sorted_sequence, "values", values);
  const int rank = sorted_sequence.dims().size();
  bool fits = rank == 1 || (rank > 1 && values.dims().size() == rank);
  for (int i = 0; i + 1 < rank && fits; ++i) fits = sorted_sequence.dims(i) == values.dims(i);
  PADDLE_ENFORCE(
      fits,
      errors::InvalidArgument("argument 'sorted_sequence': expected one dimension, or those of 'values', %s, "
                              "but for the last one, got %s",
                              values.dims(),
                              sorted_sequence.dims()));
  PADDLE_ENFORCE(
      !out_int32 || sorted_sequence.dims(rank - 1) < std::numeric_limits<int32_t>::max(),
      errors::InvalidArgument("argument 'out_int32': expected false for sequences of more elements than int32 "
                              "counts, got true"));
  out->set_dims(values.dims());
  out->set_dtype(out_int32 ? DataType::INT32 : DataType::INT64);
}

}  // namespace phi
