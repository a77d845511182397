// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/backward_linalg.h"
#include "infermeta/conv.h"
#include "infermeta/data_types.h"
#include "infermeta/pooling.h"
#include "infermeta/set_contiguous.h"

namespace phi {

template <class Dim>
void CheckDeformation(const char* name, const MetaTensor<Dim>& given, const BasicDDim<Dim>& expected) {
  PADDLE_ENFORCE(given.dims() == expected,
                 errors::InvalidArgument("argument '%s': expected the shape %s, got %s", name, expected, given.dims()));
}

template <class Dim>
void DeformableConvInferMeta(const MetaTensor<Dim>& x,
                             const MetaTensor<Dim>& offset,
                             const MetaTensor<Dim>& filter,
                             const MetaTensor<Dim>& mask,
                             const std::vector<int>& strides,
                             const std::vector<int>& paddings,
                             const std::vector<int>& dilations,
                             int64_t deformable_groups,
                             int64_t groups,
                             int64_t,
                             MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      paddings.size() == 2,
      errors::InvalidArgument("argument 'paddings': expected 2 numbers (height, width), got %s", IntsText(paddings)));
  ConvolutionInferMeta(2, "x", x, filter, strides, paddings, "EXPLICIT", dilations, groups, "NCHW", out);
  CheckSameDataType("x", x, "offset", offset);
  if (mask) CheckSameDataType("x", x, "mask", mask);
  PADDLE_ENFORCE(
      deformable_groups > 0 && x.dims(1) / Dim(deformable_groups) * Dim(deformable_groups) == x.dims(1),
      errors::InvalidArgument("argument 'deformable_groups': expected a divisor of the %d channels of 'x', got %d",
                              x.dims(1),
                              deformable_groups));
  BasicDDim<Dim> dims = out->dims();
  SetContiguous(dims, x.dtype(), out);
  dims[1] = Dim(deformable_groups) * filter.dims(2) * filter.dims(3);
  if (mask) CheckDeformation("mask", mask, dims);
  dims[1] = dims[1] * Dim(2);
  CheckDeformation("offset", offset, dims);
}

template <class Dim>
void DeformableConvGradInferMeta(const MetaTensor<Dim>& x,
                                 const MetaTensor<Dim>& offset,
                                 const MetaTensor<Dim>& filter,
                                 const MetaTensor<Dim>& mask,
                                 MetaTensor<Dim>* x_grad,
                                 MetaTensor<Dim>* offset_grad,
                                 MetaTensor<Dim>* filter_grad,
                                 MetaTensor<Dim>* mask_grad) {
  ContiguousTernaryGradInferMeta(x, offset, filter, x_grad, offset_grad, filter_grad);
  ContiguousGradInferMeta(mask, mask_grad);
}

}  // namespace phi
