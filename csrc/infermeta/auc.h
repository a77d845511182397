// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of auc.
namespace phi {

template <class Dim>
void AucInferMeta(const MetaTensor<Dim>& x,
                  const MetaTensor<Dim>& label,
                  const MetaTensor<Dim>& stat_pos,
                  const MetaTensor<Dim>& stat_neg,
                  const MetaTensor<Dim>& ins_tag_weight,
                  const std::string& curve,
                  int64_t num_thresholds,
                  int64_t slide_steps,
                  MetaTensor<Dim>* auc,
                  MetaTensor<Dim>* stat_pos_out,
                  MetaTensor<Dim>* stat_neg_out) {
  PADDLE_ENFORCE(curve == "ROC", errors::InvalidArgument("argument 'curve': expected 'ROC', got '%s'", curve));
  constexpr int64_t kMost = int64_t{1} << 30;
  PADDLE_ENFORCE(
      num_thresholds > 0 && num_thresholds <= kMost,
      errors::InvalidArgument("argument 'num_thresholds': expected a number in [1, 2^30], got %d", num_thresholds));
  PADDLE_ENFORCE(
      slide_steps >= 0 && slide_steps <= kMost,
      errors::InvalidArgument("argument 'slide_steps': expected a number in [0, 2^30], got %d", slide_steps));
  PADDLE_ENFORCE(x.dims().size() == 2 && (x.dims(1) == 1 || x.dims(1) == 2),
                 errors::InvalidArgument("argument 'x': expected the shape [rows, 1] or [rows, 2], got %s", x.dims()));
  PADDLE_ENFORCE(label.dtype() == DataType::INT64,
                 errors::InvalidType("argument 'label': expected int64, got %s", DataTypeName(label.dtype())));
  PADDLE_ENFORCE(Same(label.numel(), x.dims(0)),
                 errors::InvalidArgument(
                     "argument 'label': expected one number for each of the %s rows, got %s", x.dims(0), label.dims()));
  PADDLE_ENFORCE(!ins_tag_weight || ins_tag_weight.dims().size() > 0,
                 errors::InvalidArgument("argument 'ins_tag_weight': expected at least one dimension, got none"));
  const int64_t count = (1 + slide_steps) * (num_thresholds + 1) + (slide_steps > 0 ? 1 : 0);
  const auto check = [&](const char* name, const MetaTensor<Dim>& stat, MetaTensor<Dim>* out) {
    PADDLE_ENFORCE(stat.dtype() == DataType::INT64,
                   errors::InvalidType("argument '%s': expected int64, got %s", name, DataTypeName(stat.dtype())));
    // PaddlePaddle makes the state of the last steps with one number more, whatever 'slide_steps' is, and ignores it
    const bool fits = stat.numel() == Dim(count) || (slide_steps == 0 && stat.numel() == Dim(count + 1));
    PADDLE_ENFORCE(
        fits,
        errors::InvalidArgument("argument '%s': expected %d numbers, (1 + slide_steps) * (num_thresholds + 1) "
                                "and one more if 'slide_steps' is above 0, got %s",
                                name,
                                count,
                                stat.dims()));
    SetContiguous(
        slide_steps == 0 ? BasicDDim<Dim>{Dim(1), Dim(count)} : BasicDDim<Dim>{Dim(count)}, stat.dtype(), out);
  };
  check("stat_pos", stat_pos, stat_pos_out);
  check("stat_neg", stat_neg, stat_neg_out);
  SetContiguous(BasicDDim<Dim>{}, DataType::FLOAT64, auc);
}

}  // namespace phi
