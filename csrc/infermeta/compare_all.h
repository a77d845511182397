// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/binary.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

// Comparisons of all elements of two tensors: one bool.
namespace phi {

template <class Dim>
void EqualAllInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  SetContiguous(BasicDDim<Dim>(), DataType::BOOL, out);
}

template <class Dim>
void AllcloseInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, const Scalar& rtol, const Scalar& atol, MetaTensor<Dim>* out) {
  IscloseInferMeta(x, y, rtol, atol, out);
  PADDLE_ENFORCE(
      x.dims() == y.dims(),
      errors::InvalidArgument("arguments 'x' and 'y': expected one shape, got %s and %s", x.dims(), y.dims()));
  EqualAllInferMeta(x, y, out);
}

}  // namespace phi
