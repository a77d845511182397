// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// Boxes [count, 4] on images [batch, channels, height, width]; `boxes_num` says how many each image has.
template <class Dim>
void RoiAlignInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& boxes,
                       const MetaTensor<Dim>& boxes_num,
                       int64_t pooled_height,
                       int64_t pooled_width,
                       MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.dims().size() == 4 && x.dims(2) > 0 && x.dims(3) > 0,
                 errors::InvalidArgument(
                     "argument 'x': expected 4 dimensions, and images that are not empty, got the shape %s", x.dims()));
  CheckSameDataType("x", x, "boxes", boxes);
  PADDLE_ENFORCE(boxes.dims().size() == 2 && boxes.dims(1) == 4,
                 errors::InvalidArgument("argument 'boxes': expected the shape [*, 4], got %s", boxes.dims()));
  PADDLE_ENFORCE(static_cast<bool>(boxes_num),
                 errors::InvalidArgument("argument 'boxes_num': expected how many boxes each image has, got None"));
  PADDLE_ENFORCE(
      boxes_num.dtype() == DataType::INT32 || boxes_num.dtype() == DataType::INT64,
      errors::InvalidType("argument 'boxes_num': expected int32 or int64, got %s", DataTypeName(boxes_num.dtype())));
  PADDLE_ENFORCE(
      boxes_num.dims().size() == 1 && boxes_num.dims(0) == x.dims(0),
      errors::InvalidArgument("argument 'boxes_num': expected the shape [%d], got %s", x.dims(0), boxes_num.dims()));
  PADDLE_ENFORCE(
      pooled_height > 0,
      errors::InvalidArgument("argument 'pooled_height': expected a positive number, got %d", pooled_height));
  PADDLE_ENFORCE(pooled_width > 0,
                 errors::InvalidArgument("argument 'pooled_width': expected a positive number, got %d", pooled_width));
  SetContiguous(BasicDDim<Dim>{boxes.dims(0), x.dims(1), Dim(pooled_height), Dim(pooled_width)}, x.dtype(), out);
}

template <class Dim>
void RoiPoolInferMeta(const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& boxes,
                      const MetaTensor<Dim>& boxes_num,
                      int64_t pooled_height,
                      int64_t pooled_width,
                      MetaTensor<Dim>* out,
                      MetaTensor<Dim>* arg_max) {
  RoiAlignInferMeta(x, boxes, boxes_num, pooled_height, pooled_width, out);
  SetContiguous(out->dims(), DataType::INT64, arg_max);
}

template <class Dim>
void PsroiPoolInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& boxes,
                        const MetaTensor<Dim>& boxes_num,
                        int64_t pooled_height,
                        int64_t pooled_width,
                        int64_t output_channels,
                        MetaTensor<Dim>* out) {
  RoiAlignInferMeta(x, boxes, boxes_num, pooled_height, pooled_width, out);
  PADDLE_ENFORCE(
      output_channels > 0 && x.dims(1) == Dim(output_channels) * Dim(pooled_height) * Dim(pooled_width),
      errors::InvalidArgument("argument 'x': expected %d channels for each of the %d cells, got the shape %s",
                              output_channels,
                              pooled_height * pooled_width,
                              x.dims()));
  SetContiguous(
      BasicDDim<Dim>{boxes.dims(0), Dim(output_channels), Dim(pooled_height), Dim(pooled_width)}, x.dtype(), out);
}

}  // namespace phi
