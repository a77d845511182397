// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "infermeta/unary.h"

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

}  // namespace phi
