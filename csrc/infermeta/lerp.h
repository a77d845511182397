// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

template <class Dim>
void LerpInferMeta(const MetaTensor<Dim>& x,
                   const MetaTensor<Dim>& y,
                   const MetaTensor<Dim>& weight,
                   MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  CheckSameDataType("x", x, "weight", weight);
  SetContiguous(
      BroadcastDims(BroadcastDims(x.dims(), y.dims(), "x", "y"), weight.dims(), "x and y", "weight"), x.dtype(), out);
}

}  // namespace phi
