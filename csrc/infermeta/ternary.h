// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"

namespace phi {

// Broadcast shape, dtype of x. Strides of an input that has the shape of the result are kept, of x before those of y.
template <class Dim>
void WhereInferMeta(const MetaTensor<Dim>& condition,
                    const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& y,
                    MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(condition.dtype() == DataType::BOOL,
                 errors::InvalidType("argument 'condition': expected data type bool, got %s; compare with 0 first",
                                     DataTypeName(condition.dtype())));
  PADDLE_ENFORCE(x.dtype() == y.dtype(),
                 errors::InvalidType("arguments 'x' and 'y' must have the same data type, got %s and %s",
                                     DataTypeName(x.dtype()),
                                     DataTypeName(y.dtype())));
  if (x.dims() == y.dims() && x.dims() == condition.dims()) {
    out->share_dims_and_strides(x);
  } else {
    const BasicDDim<Dim> both = BroadcastDims(x.dims(), y.dims());
    ShareBroadcast(BroadcastDims(both, condition.dims(), "x, y", "condition"), x, y, out);
  }
  out->set_dtype(x.dtype());
  out->set_layout(x.layout());
}

}  // namespace phi
