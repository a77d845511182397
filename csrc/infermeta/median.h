// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/int_array.h"
#include "core/meta_tensor.h"
#include "infermeta/reduction.h"

namespace phi {

// The median of what is reduced, and the places that it comes from: two with the mode "avg", one with "min".
template <class Dim>
void MedianInferMeta(const MetaTensor<Dim>& x,
                     const IntArrayBase<Dim>& axis,
                     bool keepdim,
                     const std::string& mode,
                     MetaTensor<Dim>* out,
                     MetaTensor<Dim>* medians) {
  PADDLE_ENFORCE(mode == "avg" || mode == "min",
                 errors::InvalidArgument("argument 'mode': expected 'avg' or 'min', got '%s'", mode));
  StrictReduceIntArrayAxisInferMeta(x, axis, keepdim, out);
  BasicDDim<Dim> dims = out->dims();
  if (mode == "avg") dims.push_back(Dim(2));
  medians->set_dims(dims);
  medians->set_dtype(DataType::INT64);
}

}  // namespace phi
