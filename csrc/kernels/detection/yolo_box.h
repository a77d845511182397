// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/activation/sigmoid.h"
#include "kernels/funcs/numbers_of_host.h"
#include "primitive/elementwise.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace detail {

// A box and its scores for each cell of the grids of the anchors of the images.
template <typename T>
struct YoloCells {
  const T* x;
  const T* sigmoid;  // of each element of x
  const int32_t* img_size;
  const int64_t* anchors;
  int64_t count, classes, height, width, downsample_ratio;
  T conf_thresh, scale, overlap_weight;
  bool clips, knows_overlap;
  T* boxes;
  T* scores;

  // Elements 0 and 1 are the edges across and down, the others the scores.
  HOSTDEVICE void operator()(int64_t cell, int64_t begin, int64_t end) const {
    const int64_t size = height * width;
    const int64_t place = cell % size, anchor = cell / size % count, image = cell / size / count;
    const int64_t own = classes + 5, channels = count * (knows_overlap ? own + 1 : own);
    const int64_t of_image = image * channels, of_anchor = of_image + (knows_overlap ? count : 0) + anchor * own;
    const int64_t first = of_anchor * size + place;
    T confidence = sigmoid[first + 4 * size];
    if (knows_overlap) {
      const T overlap = sigmoid[(of_image + anchor) * size + place];
      confidence = math::Pow(confidence, T(1) - overlap_weight) * math::Pow(overlap, overlap_weight);
    }
    const bool is_seen = !(confidence < conf_thresh);  // what is no number stays one
    for (int64_t i = begin; i < end && i < 2; ++i) {
      T* box = boxes + cell * 4 + i;
      box[0] = box[2] = T(0);
      if (is_seen) SetEdges(static_cast<int>(i), place, anchor, image, first, box);
    }
    const T* classed = sigmoid + first + 3 * size;  // of class 0 at element 2
    for (int64_t i = begin < 2 ? 2 : begin; i < end; ++i) {
      scores[cell * classes + i - 2] = is_seen ? confidence * classed[i * size] : T(0);
    }
  }

  HOSTDEVICE void SetEdges(int axis, int64_t place, int64_t anchor, int64_t image, int64_t first, T* box) const {
    const int64_t size = height * width, length = axis == 0 ? width : height;
    const T at = static_cast<T>(axis == 0 ? place % width : place / width);
    const T pixels = static_cast<T>(img_size[image * 2 + 1 - axis]);
    const T shift = sigmoid[first + axis * size] * scale - T(0.5) * (scale - T(1));
    const T middle = (at + shift) * pixels / static_cast<T>(length);
    const T extent = math::Exp(x[first + (2 + axis) * size]) * static_cast<T>(anchors[anchor * 2 + axis]);
    const T half = extent * pixels / static_cast<T>(downsample_ratio * length) / T(2);
    box[0] = clips ? math::Maximum(middle - half, T(0)) : middle - half;
    box[2] = clips ? math::Minimum(middle + half, pixels - T(1)) : middle + half;
  }
};

}  // namespace detail

template <typename T, typename Context>
void YoloBoxKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const DenseTensor& img_size,
                   const std::vector<int>& anchors,
                   int class_num,
                   float conf_thresh,
                   int downsample_ratio,
                   bool clip_bbox,
                   float scale_x_y,
                   bool iou_aware,
                   float iou_aware_factor,
                   DenseTensor* boxes,
                   DenseTensor* scores) {
  detail::YoloCells<T> cells;
  cells.boxes = dev_ctx.template Alloc<T>(boxes);
  cells.scores = dev_ctx.template Alloc<T>(scores);
  if (boxes->numel() == 0) return;
  DenseTensor sigmoid = primitive::EmptyTensor<T>(dev_ctx, x.dims());
  primitive::ElementwiseUnary<T>(dev_ctx, x, &sigmoid, SigmoidFunctor());
  const DenseTensor sizes = funcs::ToDevice(dev_ctx, std::vector<int64_t>(anchors.begin(), anchors.end()));
  cells.x = x.data<T>();
  cells.sigmoid = sigmoid.template data<T>();
  cells.img_size = img_size.data<int32_t>();
  cells.anchors = sizes.template data<int64_t>();
  cells.count = static_cast<int64_t>(anchors.size() / 2);
  cells.classes = class_num;
  cells.height = x.dims()[2];
  cells.width = x.dims()[3];
  cells.downsample_ratio = downsample_ratio;
  cells.conf_thresh = static_cast<T>(conf_thresh);
  cells.scale = static_cast<T>(scale_x_y);
  cells.overlap_weight = static_cast<T>(iou_aware_factor);
  cells.clips = clip_bbox;
  cells.knows_overlap = iou_aware;
  primitive::ForEachRun(dev_ctx, boxes->numel() / 4, cells.classes + 2, cells);
}

}  // namespace phi
