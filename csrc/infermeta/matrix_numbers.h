// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/matrix.h"
#include "infermeta/set_contiguous.h"

// InferMeta of numbers of matrices: further forms of those in matrix.h.
namespace phi {

template <class Dim>
void SlogdetV2InferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* sign, MetaTensor<Dim>* logdet) {
  CheckSquare(x);
  SetContiguous(BatchWith(x), x.dtype(), sign);
  SetContiguous(BatchWith(x), ToReal(x.dtype()), logdet);
}

template <class Dim>
void MatrixRankAtolRtolInferMeta(const MetaTensor<Dim>& x,
                                 const MetaTensor<Dim>& atol,
                                 const MetaTensor<Dim>& rtol,
                                 bool hermitian,
                                 MetaTensor<Dim>* out) {
  MatrixRankInferMeta(x, hermitian, out);
  const auto broadcast = [&](const char* name, const MetaTensor<Dim>& tolerance) {
    PADDLE_ENFORCE(tolerance.dtype() == x.dtype() || tolerance.dtype() == ToReal(x.dtype()),
                   errors::InvalidType("argument '%s': expected %s for 'x' of %s, got %s",
                                       name,
                                       DataTypeName(ToReal(x.dtype())),
                                       DataTypeName(x.dtype()),
                                       DataTypeName(tolerance.dtype())));
    out->set_dims(BroadcastDims(out->dims(), tolerance.dims(), "x", name));
  };
  broadcast("atol", atol);
  if (rtol) broadcast("rtol", rtol);
}

}  // namespace phi
