// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/reduction.h"
#include "infermeta/set_contiguous.h"

// InferMeta of norm.
namespace phi {

template <class Dim>
void NormInferMeta(const MetaTensor<Dim>& x, int64_t axis, MetaTensor<Dim>* out, MetaTensor<Dim>* norm) {
  ReduceIntArrayAxisInferMeta(x, {Dim(axis)}, /*keepdim=*/true, norm);
  SetContiguous(x.dims(), x.dtype(), out);
}

}  // namespace phi
