// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/boxes.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/number_one.h"
#include "infermeta/set_contiguous.h"

// InferMeta of what follows a network that detects objects.
namespace phi {

template <class Dim>
void YoloBoxInferMeta(const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& img_size,
                      const std::vector<int>& anchors,
                      int64_t class_num,
                      int64_t downsample_ratio,
                      bool iou_aware,
                      MetaTensor<Dim>* boxes,
                      MetaTensor<Dim>* scores) {
  const auto count = static_cast<int64_t>(anchors.size() / 2);
  PADDLE_ENFORCE(count > 0 && anchors.size() % 2 == 0,
                 errors::InvalidArgument("argument 'anchors': expected pairs of numbers, got %d", anchors.size()));
  PADDLE_ENFORCE(class_num > 0,
                 errors::InvalidArgument("argument 'class_num': expected at least 1, got %d", class_num));
  PADDLE_ENFORCE(downsample_ratio > 0,
                 errors::InvalidArgument("argument 'downsample_ratio': expected at least 1, got %d", downsample_ratio));
  const int64_t channels = count * (class_num + (iou_aware ? 6 : 5));
  PADDLE_ENFORCE(x.dims().size() == 4 && x.dims(1) == channels,
                 errors::InvalidArgument(
                     "argument 'x': expected the shape [batch, %d, height, width], got %s", channels, x.dims()));
  const BasicDDim<Dim> sizes{x.dims(0), Dim(2)};
  PADDLE_ENFORCE(img_size.dims() == sizes && img_size.dtype() == DataType::INT32,
                 errors::InvalidArgument("argument 'img_size': expected int32 of the shape %s, got %s%s",
                                         sizes,
                                         DataTypeName(img_size.dtype()),
                                         img_size.dims()));
  const Dim found = x.dims(2) * x.dims(3) * Dim(count);
  boxes->set_dims(BasicDDim<Dim>{x.dims(0), found, Dim(4)});
  boxes->set_dtype(x.dtype());
  scores->set_dims(BasicDDim<Dim>{x.dims(0), found, Dim(class_num)});
  scores->set_dtype(x.dtype());
}

// `scores` of three dimensions are for boxes that the classes of an image share; of two each class has its own, and
// `rois_num` says how many are of each image.
template <class Dim>
void MultiClassNMSInferMeta(const MetaTensor<Dim>& bboxes,
                            const MetaTensor<Dim>& scores,
                            const MetaTensor<Dim>& rois_num,
                            MetaTensor<Dim>* out,
                            MetaTensor<Dim>* index,
                            MetaTensor<Dim>* nms_rois_num) {
  const int rank = scores.dims().size();
  PADDLE_ENFORCE(
      rank == (rois_num ? 2 : 3),
      errors::InvalidArgument("argument 'scores': expected [images, classes, boxes], or [boxes, classes] with "
                              "'rois_num', got the shape %s",
                              scores.dims()));
  // four numbers are a box; 8, 16, 24 and 32 are the corners of a polygon
  Dim numbers(4);
  if (rank == 3 && bboxes.dims().size() == 3) {
    for (const int corners : {8, 16, 24, 32}) {
      if (IsNumber(bboxes.dims(2), corners)) numbers = Dim(corners);
    }
  }
  const BasicDDim<Dim> shared{scores.dims(0), rank == 3 ? scores.dims(2) : scores.dims(1), numbers};
  PADDLE_ENFORCE(Same(bboxes.dims(), shared),
                 errors::InvalidArgument(
                     "argument 'bboxes': expected the shape %s for these scores, got %s", shared, bboxes.dims()));
  CheckOneType("bboxes", bboxes, "scores", scores);
  if (rois_num) {
    CheckIndexType("rois_num", rois_num);
    const bool is_column = rois_num.dims().size() == 2 && IsNumber(rois_num.dims(1), 1);
    PADDLE_ENFORCE(
        rois_num.dims().size() == 1 || is_column,
        errors::InvalidArgument("argument 'rois_num': expected a vector, got the shape %s", rois_num.dims()));
  }
  const Dim found = kDecidedByValues;
  SetContiguous({found, numbers + Dim(2)}, scores.dtype(), out);
  SetContiguous({found, Dim(1)}, DataType::INT32, index);
  SetContiguous({rois_num ? rois_num.dims(0) : scores.dims(0)}, DataType::INT32, nms_rois_num);
}

template <class Dim>
void NMSInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckBoxes("x", x);
  SetContiguous({Dim(kDecidedByValues)}, DataType::INT64, out);
}

template <class Dim>
void MatrixNMSInferMeta(const MetaTensor<Dim>& bboxes,
                        const MetaTensor<Dim>& scores,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* index,
                        MetaTensor<Dim>* roisnum) {
  PADDLE_ENFORCE(
      scores.dims().size() == 3,
      errors::InvalidArgument("argument 'scores': expected [images, classes, boxes], got the shape %s", scores.dims()));
  if (bboxes.dims().size() == 3) {
    const BasicDDim<Dim> boxes{bboxes.dims(0), bboxes.dims(1), Dim(4)};
    PADDLE_ENFORCE(Same(bboxes.dims(), boxes),
                   errors::InvalidArgument("argument 'bboxes': expected the shape %s, got %s", boxes, bboxes.dims()));
  }
  MultiClassNMSInferMeta(bboxes, scores, MetaTensor<Dim>(), out, index, roisnum);
}

// `anchors` are [height, width, count, 4], or the same boxes in one row: [height * width * count, 4].
template <class Dim>
void GenerateProposalsInferMeta(const MetaTensor<Dim>& scores,
                                const MetaTensor<Dim>& bbox_deltas,
                                const MetaTensor<Dim>& im_shape,
                                const MetaTensor<Dim>& anchors,
                                const MetaTensor<Dim>& variances,
                                MetaTensor<Dim>* rpn_rois,
                                MetaTensor<Dim>* rpn_roi_probs,
                                MetaTensor<Dim>* rpn_rois_num) {
  PADDLE_ENFORCE(scores.dims().size() == 4,
                 errors::InvalidArgument("argument 'scores': expected [images, count, height, width], got the shape %s",
                                         scores.dims()));
  const Dim images = scores.dims(0), count = scores.dims(1), height = scores.dims(2), width = scores.dims(3);
  const auto check = [&](const char* name, const MetaTensor<Dim>& given, const BasicDDim<Dim>& dims) {
    PADDLE_ENFORCE(Same(given.dims(), dims),
                   errors::InvalidArgument(
                       "argument '%s': expected the shape %s for these scores, got %s", name, dims, given.dims()));
    CheckOneType(name, given, "scores", scores);
  };
  check("bbox_deltas", bbox_deltas, {images, count * Dim(4), height, width});
  const bool has_scale = im_shape.dims().size() == 2 && im_shape.dims(1) == Dim(3);  // as im_info, which is not read
  check("im_shape", im_shape, {images, Dim(has_scale ? 3 : 2)});
  const BasicDDim<Dim> grid{height, width, count, Dim(4)}, row{height * width * count, Dim(4)};
  check("anchors", anchors, anchors.dims().size() == 2 ? row : grid);
  check("variances", variances, variances.dims().size() == 2 ? row : grid);
  const Dim found = kDecidedByValues;
  SetContiguous({found, Dim(4)}, anchors.dtype(), rpn_rois);
  SetContiguous({found, Dim(1)}, scores.dtype(), rpn_roi_probs);
  SetContiguous({images}, DataType::INT32, rpn_rois_num);
}

}  // namespace phi
