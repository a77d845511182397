// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/binary.h"
#include "infermeta/nn_backward.h"

// InferMeta of backward ops. An output is null when its gradient is not wanted.
namespace phi {

template <class Dim>
void GeneralUnaryGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* dx) {
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
