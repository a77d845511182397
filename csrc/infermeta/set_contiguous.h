// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"

namespace phi {

template <class Dim>
void SetContiguous(const BasicDDim<Dim>& dims, DataType dtype, MetaTensor<Dim>* out) {
  if (!out) return;
  out->set_dims(dims);
  out->set_dtype(dtype);
}

}  // namespace phi
