// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/given.h"

// InferMeta of backward ops. An output is null when its gradient is not wanted.
namespace phi {

template <class Dim>
void GeneralUnaryGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* dx) {
  PADDLE_ENFORCE(
      IsFloatingType(x.dtype()) || IsComplexType(x.dtype()),
      errors::InvalidType("expected tensors of a floating or complex data type, which have gradients, got %s",
                          DataTypeName(x.dtype())));
  if (dx) dx->share_meta(x);
}

template <class Dim>
void GeneralBinaryGradInferMeta(const MetaTensor<Dim>& x,
                                const MetaTensor<Dim>& y,
                                MetaTensor<Dim>* dx,
                                MetaTensor<Dim>* dy) {
  if (dx) dx->share_meta(x);
  if (dy && y) dy->share_meta(y);
}

// Ones before and after `dims`, which begin at `axis` of `rank` dimensions; -1 aligns the last ones.
template <class Dim>
BasicDDim<Dim> AlignedDims(const BasicDDim<Dim>& dims, int rank, int64_t axis) {
  const int more = rank - dims.size();
  if (more == 0) return dims;
  PADDLE_ENFORCE(axis >= -1 && axis <= more,
                 errors::InvalidArgument("argument 'axis': expected -1 or a value in [0, %d], got %d", more, axis));
  BasicDDim<Dim> aligned(rank, Dim(1));
  for (int i = 0; i < dims.size(); ++i) aligned[i + (axis == -1 ? more : static_cast<int>(axis))] = dims[i];
  return aligned;
}

// The gradients of a binary op that broadcasts with `axis`, which the op itself does not have.
template <class Dim>
void BroadcastGradInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& y,
                            const MetaTensor<Dim>& out_grad,
                            int64_t axis,
                            MetaTensor<Dim>* dx,
                            MetaTensor<Dim>* dy) {
  Expected<Dim> out;
  const int rank = std::max(x.dims().size(), y.dims().size());
  out.set_dims(BroadcastDims(AlignedDims(x.dims(), rank, axis), AlignedDims(y.dims(), rank, axis)));
  out.set_dtype(x.dtype());
  CheckGiven("out_grad", out_grad, static_cast<const MetaTensor<Dim>&>(out));
  GeneralBinaryGradInferMeta(x, y, dx, dy);
}

template <class Dim>
void GeneralTernaryGradInferMeta(const MetaTensor<Dim>& x,
                                 const MetaTensor<Dim>& y,
                                 const MetaTensor<Dim>& z,
                                 MetaTensor<Dim>* dx,
                                 MetaTensor<Dim>* dy,
                                 MetaTensor<Dim>* dz) {
  GeneralBinaryGradInferMeta(x, y, dx, dy);
  if (dz && z) dz->share_meta(z);
}

}  // namespace phi
