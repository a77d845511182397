// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// A tensor with an element for each of `x`, of its type.
template <class Dim>
void CheckLikeInput(const char* name, const MetaTensor<Dim>& tensor, const char* of, const MetaTensor<Dim>& x) {
  if (!tensor) return;
  PADDLE_ENFORCE(tensor.dims() == x.dims(),
                 errors::InvalidArgument(
                     "argument '%s': expected the shape %s of '%s', got %s", name, x.dims(), of, tensor.dims()));
  PADDLE_ENFORCE(tensor.dtype() == x.dtype(),
                 errors::InvalidType("argument '%s': expected %s as '%s', got %s",
                                     name,
                                     DataTypeName(x.dtype()),
                                     of,
                                     DataTypeName(tensor.dtype())));
}

template <class Dim>
void BCELossInferMeta(const MetaTensor<Dim>& input, const MetaTensor<Dim>& label, MetaTensor<Dim>* out) {
  CheckLikeInput("label", label, "input", input);
  SetContiguous(input.dims(), input.dtype(), out);
}

template <class Dim>
void SigmoidCrossEntropyWithLogitsInferMeta(const MetaTensor<Dim>& x,
                                            const MetaTensor<Dim>& label,
                                            const MetaTensor<Dim>& pos_weight,
                                            MetaTensor<Dim>* out) {
  CheckLikeInput("label", label, "x", x);
  CheckLikeInput("pos_weight", pos_weight, "x", x);
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void LabelSmoothInferMeta(const MetaTensor<Dim>& label, const MetaTensor<Dim>& prior_dist, MetaTensor<Dim>* out) {
  const int rank = label.dims().size();
  PADDLE_ENFORCE(rank > 0, errors::InvalidArgument("argument 'label': expected at least 1 dimension, got []"));
  if (prior_dist) {
    PADDLE_ENFORCE(prior_dist.numel() == label.dims(rank - 1),
                   errors::InvalidArgument("argument 'prior_dist': expected %s elements, as many as classes, got %s",
                                           label.dims(rank - 1),
                                           prior_dist.numel()));
    PADDLE_ENFORCE(prior_dist.dtype() == label.dtype(),
                   errors::InvalidType("argument 'prior_dist': expected %s as 'label', got %s",
                                       DataTypeName(label.dtype()),
                                       DataTypeName(prior_dist.dtype())));
  }
  SetContiguous(label.dims(), label.dtype(), out);
}

inline bool CheckLossReduction(const std::string& reduction, bool has_batchmean) {
  PADDLE_ENFORCE(
      reduction == "none" || reduction == "mean" || reduction == "sum" || (has_batchmean && reduction == "batchmean"),
      errors::InvalidArgument("argument 'reduction': expected 'none', 'mean', %s'sum', got '%s'",
                              has_batchmean ? "'batchmean' or " : "or ",
                              reduction));
  return reduction != "none";
}

template <class Dim>
void KLDivInferMeta(const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& label,
                    const std::string& reduction,
                    MetaTensor<Dim>* out) {
  CheckLikeInput("label", label, "x", x);
  const bool reduces = CheckLossReduction(reduction, true);
  PADDLE_ENFORCE(
      reduction != "batchmean" || x.dims().size() > 0,
      errors::InvalidArgument("argument 'x': expected at least 1 dimension for the reduction 'batchmean', got []"));
  SetContiguous(reduces ? BasicDDim<Dim>() : x.dims(), x.dtype(), out);
}

template <class Dim>
void NllLossRawInferMeta(const MetaTensor<Dim>& input,
                         const MetaTensor<Dim>& label,
                         const MetaTensor<Dim>& weight,
                         const std::string& reduction,
                         MetaTensor<Dim>* out,
                         MetaTensor<Dim>* total_weight) {
  const int rank = input.dims().size();
  PADDLE_ENFORCE(
      rank >= 2,
      errors::InvalidArgument("argument 'input': expected [batch, classes] or [batch, classes, ...], got the "
                              "shape %s",
                              input.dims()));
  BasicDDim<Dim> dims{input.dims(0)};
  for (int i = 2; i < rank; ++i) dims.push_back(input.dims(i));
  PADDLE_ENFORCE(
      label.dims() == dims,
      errors::InvalidArgument(
          "argument 'label': expected the shape %s, that of 'input' without its classes, got %s", dims, label.dims()));
  PADDLE_ENFORCE(label.dtype() == DataType::INT32 || label.dtype() == DataType::INT64,
                 errors::InvalidType("argument 'label': expected int32 or int64, got %s", DataTypeName(label.dtype())));
  if (weight) {
    const BasicDDim<Dim> classes{input.dims(1)};
    PADDLE_ENFORCE(weight.dims() == classes,
                   errors::InvalidArgument("argument 'weight': expected the shape %s, got %s", classes, weight.dims()));
    PADDLE_ENFORCE(weight.dtype() == input.dtype(),
                   errors::InvalidType("argument 'weight': expected %s as 'input', got %s",
                                       DataTypeName(input.dtype()),
                                       DataTypeName(weight.dtype())));
  }
  const bool reduces = CheckLossReduction(reduction, false);
  SetContiguous(reduces ? BasicDDim<Dim>() : dims, input.dtype(), out);
  SetContiguous(BasicDDim<Dim>(), input.dtype(), total_weight);
}

}  // namespace phi
