// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "infermeta/reduction.h"

// InferMeta of norm.
namespace phi {

template <class Dim>
void NormInferMeta(const MetaTensor<Dim>& x, int64_t axis, MetaTensor<Dim>* out, MetaTensor<Dim>* norm) {
  ReduceIntArrayAxisInferMeta(x, {Dim(axis)}, /*keepdim=*/true, norm);
  SetContiguous(x.dims(), x.dtype(), out);
}

}  // namespace phi
