// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/list_size.h"
#include "infermeta/set_contiguous.h"

// InferMeta of ops on boxes of left, top, right and bottom.
namespace phi {

template <class Dim>
void CheckBoxes(const char* name, const MetaTensor<Dim>& boxes) {
  PADDLE_ENFORCE(boxes.dims().size() == 2 && boxes.dims(1) == 4,
                 errors::InvalidArgument("argument '%s': expected the shape [*, 4], got %s", name, boxes.dims()));
}

template <class Dim>
void BoxCoderInferMeta(const MetaTensor<Dim>& prior_box,
                       const MetaTensor<Dim>& prior_box_var,
                       const MetaTensor<Dim>& target_box,
                       const std::string& code_type,
                       int64_t axis,
                       const std::vector<float>& variance,
                       MetaTensor<Dim>* output_box) {
  CheckBoxes("prior_box", prior_box);
  CheckOneType("target_box", target_box, "prior_box", prior_box);
  CheckOneType("prior_box_var", prior_box_var, "prior_box", prior_box);
  PADDLE_ENFORCE(!prior_box_var || Same(prior_box_var.dims(), prior_box.dims()),
                 errors::InvalidArgument("argument 'prior_box_var': expected the shape %s of 'prior_box', got %s",
                                         prior_box.dims(),
                                         prior_box_var.dims()));
  PADDLE_ENFORCE(
      variance.empty() || (variance.size() == 4 && !prior_box_var),
      errors::InvalidArgument("argument 'variance': expected four numbers, or none with 'prior_box_var', got "
                              "%d of them",
                              variance.size()));
  PADDLE_ENFORCE(axis == 0 || axis == 1, errors::InvalidArgument("argument 'axis': expected 0 or 1, got %d", axis));
  if (code_type == "encode_center_size") {
    CheckBoxes("target_box", target_box);
    SetContiguous({target_box.dims(0), prior_box.dims(0), Dim(4)}, target_box.dtype(), output_box);
    return;
  }
  PADDLE_ENFORCE(code_type == "decode_center_size",
                 errors::InvalidArgument("argument 'code_type': expected 'encode_center_size' or 'decode_center_size', "
                                         "got '%s'",
                                         code_type));
  PADDLE_ENFORCE(target_box.dims().size() == 3 && target_box.dims(2) == 4 &&
                     Same(target_box.dims(axis == 0 ? 1 : 0), prior_box.dims(0)),
                 errors::InvalidArgument("argument 'target_box': expected 3 dimensions, of which the last is 4 and %d "
                                         "the %s boxes of 'prior_box', got the shape %s",
                                         axis == 0 ? 1 : 0,
                                         prior_box.dims(0),
                                         target_box.dims()));
  SetContiguous(target_box.dims(), target_box.dtype(), output_box);
}

// How many boxes of different ratios there are, 1 among them.
inline int64_t CountRatios(const std::vector<float>& aspect_ratios, bool flip) {
  std::vector<double> found{1};
  for (const double ratio : aspect_ratios) {
    PADDLE_ENFORCE(ratio > 0,
                   errors::InvalidArgument("argument 'aspect_ratios': expected numbers above 0, got %f", ratio));
    bool is_new = true;
    for (const double one : found) is_new = is_new && std::abs(ratio - one) >= 1e-6;
    if (!is_new) continue;
    found.push_back(ratio);
    if (flip) found.push_back(1 / ratio);
  }
  return static_cast<int64_t>(found.size());
}

template <class Dim>
void PriorBoxInferMeta(const MetaTensor<Dim>& input,
                       const MetaTensor<Dim>& image,
                       const std::vector<float>& min_sizes,
                       const std::vector<float>& max_sizes,
                       const std::vector<float>& aspect_ratios,
                       const std::vector<float>& variances,
                       bool flip,
                       double step_w,
                       double step_h,
                       MetaTensor<Dim>* out,
                       MetaTensor<Dim>* var) {
  PADDLE_ENFORCE(
      input.dims().size() == 4 && image.dims().size() == 4,
      errors::InvalidArgument(
          "expected 4 dimensions of 'input' and 'image', got the shapes %s and %s", input.dims(), image.dims()));
  PADDLE_ENFORCE(!min_sizes.empty(),
                 errors::InvalidArgument("argument 'min_sizes': expected at least one number, got none"));
  PADDLE_ENFORCE(
      max_sizes.empty() || max_sizes.size() == min_sizes.size(),
      errors::InvalidArgument("argument 'max_sizes': expected none or %d numbers, as 'min_sizes' has, got %d",
                              min_sizes.size(),
                              max_sizes.size()));
  for (size_t i = 0; i < min_sizes.size(); ++i) {
    PADDLE_ENFORCE(min_sizes[i] > 0,
                   errors::InvalidArgument("argument 'min_sizes': expected numbers above 0, got %f", min_sizes[i]));
    PADDLE_ENFORCE(max_sizes.empty() || max_sizes[i] > min_sizes[i],
                   errors::InvalidArgument("argument 'max_sizes': expected a number above its one of 'min_sizes', %f, "
                                           "got %f",
                                           min_sizes[i],
                                           max_sizes[i]));
  }
  PADDLE_ENFORCE(variances.size() == 4,
                 errors::InvalidArgument("argument 'variances': expected four numbers, got %d", variances.size()));
  PADDLE_ENFORCE(
      step_w >= 0 && step_h >= 0,
      errors::InvalidArgument("arguments 'step_w' and 'step_h': expected at least 0, got %f and %f", step_w, step_h));
  const auto kinds = static_cast<int64_t>(min_sizes.size()) * (CountRatios(aspect_ratios, flip) + !max_sizes.empty());
  const BasicDDim<Dim> dims{input.dims(2), input.dims(3), Dim(kinds), Dim(4)};
  SetContiguous(dims, input.dtype(), out);
  SetContiguous(dims, input.dtype(), var);
}

template <class Dim>
void DistributeFpnProposalsInferMeta(const MetaTensor<Dim>& fpn_rois,
                                     const MetaTensor<Dim>& rois_num,
                                     int64_t min_level,
                                     int64_t max_level,
                                     int64_t refer_scale,
                                     std::vector<MetaTensor<Dim>*> multi_fpn_rois,
                                     std::vector<MetaTensor<Dim>*> multi_level_rois_num,
                                     MetaTensor<Dim>* restore_index) {
  CheckBoxes("fpn_rois", fpn_rois);
  PADDLE_ENFORCE(
      max_level >= min_level,
      errors::InvalidArgument("argument 'max_level': expected at least 'min_level', %d, got %d", min_level, max_level));
  PADDLE_ENFORCE(refer_scale > 0,
                 errors::InvalidArgument("argument 'refer_scale': expected at least 1, got %d", refer_scale));
  if (rois_num) {
    CheckIndexType("rois_num", rois_num);
    PADDLE_ENFORCE(
        rois_num.dims().size() <= 1,
        errors::InvalidArgument("argument 'rois_num': expected a vector, got the shape %s", rois_num.dims()));
  }
  const Dim images = rois_num && rois_num.dims().size() == 1 ? rois_num.dims(0) : Dim(1);
  ExpectListSize("multi_fpn_rois", multi_fpn_rois, Dim(max_level - min_level + 1));
  for (MetaTensor<Dim>* boxes : multi_fpn_rois) SetContiguous({Dim(kDecidedByValues), Dim(4)}, fpn_rois.dtype(), boxes);
  for (MetaTensor<Dim>* counts : multi_level_rois_num) {
    SetContiguous({images}, DataType::INT32, counts);
  }
  SetContiguous({fpn_rois.dims(0), Dim(1)}, DataType::INT32, restore_index);
}

}  // namespace phi
