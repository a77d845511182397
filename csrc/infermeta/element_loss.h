// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"
#include "infermeta/unary.h"

// InferMeta of losses of elements, special functions and samples of distributions.
namespace phi {

template <class Dim>
void PolygammaInferMeta(const MetaTensor<Dim>& x, int64_t n, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(n >= 0, errors::InvalidArgument("argument 'n': expected at least 0, got %d", n));
  FloatingInferMeta(x, out);
}

// Two tensors of one shape and dtype.
template <class Dim>
void SameShapeInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSameDataType("the first", x, "the second", y);
  PADDLE_ENFORCE(x.dims() == y.dims(),
                 errors::InvalidArgument("expected tensors of one shape, got %s and %s", x.dims(), y.dims()));
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void HuberLossInferMeta(const MetaTensor<Dim>& input,
                        const MetaTensor<Dim>& label,
                        double delta,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* residual) {
  PADDLE_ENFORCE(delta > 0, errors::InvalidArgument("argument 'delta': expected a number above 0, got %f", delta));
  SameShapeInferMeta(input, label, out);
  SetContiguous(input.dims(), input.dtype(), residual);
}

template <class Dim>
void IdentityLossInferMeta(const MetaTensor<Dim>& x, int64_t reduction, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(
      reduction >= 0 && reduction <= 2,
      errors::InvalidArgument("argument 'reduction': expected 0 (sum), 1 (mean) or 2 (none), got %d", reduction));
  SetContiguous(reduction == 2 ? x.dims() : BasicDDim<Dim>(), x.dtype(), out);
}

template <class Dim>
void DirichletInferMeta(const MetaTensor<Dim>& alpha, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(alpha.dims().size() > 0,
                 errors::InvalidArgument("argument 'alpha': expected at least one dimension, got none"));
  SetContiguous(alpha.dims(), alpha.dtype(), out);
}

template <class Dim>
void BinomialInferMeta(const MetaTensor<Dim>& count, const MetaTensor<Dim>& prob, MetaTensor<Dim>* out) {
  SetContiguous(BroadcastDims(count.dims(), prob.dims(), "count", "prob"), DataType::INT64, out);
}

}  // namespace phi
