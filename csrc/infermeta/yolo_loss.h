// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of yolo_loss.
namespace phi {

template <class Dim>
void YoloLossInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& gt_box,
                       const MetaTensor<Dim>& gt_label,
                       const MetaTensor<Dim>& gt_score,
                       const std::vector<int>& anchors,
                       const std::vector<int>& anchor_mask,
                       int64_t class_num,
                       int64_t downsample_ratio,
                       MetaTensor<Dim>* loss,
                       MetaTensor<Dim>* objectness_mask,
                       MetaTensor<Dim>* gt_match_mask) {
  const auto count = static_cast<int64_t>(anchors.size() / 2);
  PADDLE_ENFORCE(count > 0 && anchors.size() % 2 == 0,
                 errors::InvalidArgument("argument 'anchors': expected pairs of numbers, got %d", anchors.size()));
  for (const int length : anchors) {
    PADDLE_ENFORCE(length > 0, errors::InvalidArgument("argument 'anchors': expected numbers above 0, got %d", length));
  }
  PADDLE_ENFORCE(!anchor_mask.empty(),
                 errors::InvalidArgument("argument 'anchor_mask': expected at least one number, got none"));
  for (const int place : anchor_mask) {
    PADDLE_ENFORCE(
        0 <= place && place < count,
        errors::InvalidArgument("argument 'anchor_mask': expected places among the %d anchors, got %d", count, place));
  }
  PADDLE_ENFORCE(class_num > 0,
                 errors::InvalidArgument("argument 'class_num': expected at least 1, got %d", class_num));
  PADDLE_ENFORCE(downsample_ratio > 0,
                 errors::InvalidArgument("argument 'downsample_ratio': expected at least 1, got %d", downsample_ratio));
  const int64_t channels = static_cast<int64_t>(anchor_mask.size()) * (class_num + 5);
  PADDLE_ENFORCE(
      x.dims().size() == 4 && x.dims(1) == channels && Same(x.dims(2), x.dims(3)) && x.dims(2) > 0,
      errors::InvalidArgument("argument 'x': expected the shape [batch, %d, size, size], got %s", channels, x.dims()));
  PADDLE_ENFORCE(gt_box.dims().size() == 3 && Same(gt_box.dims(0), x.dims(0)) && gt_box.dims(2) == 4,
                 errors::InvalidArgument(
                     "argument 'gt_box': expected the shape [%s, boxes, 4], got %s", x.dims(0), gt_box.dims()));
  CheckOneType("gt_box", gt_box, "x", x);
  const BasicDDim<Dim> boxes{gt_box.dims(0), gt_box.dims(1)};
  PADDLE_ENFORCE(Same(gt_label.dims(), boxes) && gt_label.dtype() == DataType::INT32,
                 errors::InvalidArgument("argument 'gt_label': expected int32 of the shape %s, got %s%s",
                                         boxes,
                                         DataTypeName(gt_label.dtype()),
                                         gt_label.dims()));
  CheckOneType("gt_score", gt_score, "x", x);
  PADDLE_ENFORCE(!gt_score || Same(gt_score.dims(), boxes),
                 errors::InvalidArgument("argument 'gt_score': expected the shape %s, got %s", boxes, gt_score.dims()));
  SetContiguous({x.dims(0)}, x.dtype(), loss);
  const auto masks = static_cast<int64_t>(anchor_mask.size());
  SetContiguous({x.dims(0), Dim(masks), x.dims(2), x.dims(3)}, x.dtype(), objectness_mask);
  SetContiguous(boxes, DataType::INT32, gt_match_mask);
}

template <class Dim>
void YoloLossGradInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& gt_box,
                           const MetaTensor<Dim>& gt_label,
                           const MetaTensor<Dim>& gt_score,
                           MetaTensor<Dim>* x_grad,
                           MetaTensor<Dim>* gt_box_grad,
                           MetaTensor<Dim>* gt_label_grad,
                           MetaTensor<Dim>* gt_score_grad) {
  const auto like = [](const MetaTensor<Dim>& given, MetaTensor<Dim>* grad) {
    if (given && grad) SetContiguous(given.dims(), given.dtype(), grad);
  };
  like(x, x_grad);
  like(gt_box, gt_box_grad);
  like(gt_label, gt_label_grad);
  like(gt_score, gt_score_grad);
}

}  // namespace phi
