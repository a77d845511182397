// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/binary.h"

namespace phi {

// The angles of integers are float64, as in Paddle.
template <class Dim>
void Atan2InferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  ElementwiseInferMeta(x, y, out);
  if (!IsFloatingType(x.dtype())) out->set_dtype(DataType::FLOAT64);
}

}  // namespace phi
