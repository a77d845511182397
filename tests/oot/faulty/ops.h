#pragma once

#include "infermeta/backward.h"
#include "infermeta/unary.h"

namespace faulty {

// One element less than what the kernel writes.
template <class Dim>
void FirstOfRowInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* out) {
  out->set_dims(phi::BasicDDim<Dim>({x.dims(0)}));
  out->set_dtype(x.dtype());
}

// Right for every size, but torch must know which one it is.
template <class Dim>
void ForcedInferMeta(const phi::MetaTensor<Dim>& x, phi::MetaTensor<Dim>* out) {
  phi::UnchangedInferMeta(x, out);
  if (x.dims(0) == 3) out->set_dtype(x.dtype());
}

}  // namespace faulty
