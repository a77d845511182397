// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// `dim` is that of the rows of a matrix with `u` as a left and `v` as a right vector.
template <class Dim>
void SpectralNormInferMeta(const MetaTensor<Dim>& weight,
                           const MetaTensor<Dim>& u,
                           const MetaTensor<Dim>& v,
                           int64_t dim,
                           int64_t power_iters,
                           double,
                           MetaTensor<Dim>* out) {
  const int rank = weight.dims().size();
  PADDLE_ENFORCE(
      rank >= 2,
      errors::InvalidArgument("argument 'weight': expected at least 2 dimensions, got the shape %s", weight.dims()));
  PADDLE_ENFORCE(dim >= 0 && dim < rank,
                 errors::InvalidArgument("argument 'dim': expected a value in [0, %d), got %d", rank, dim));
  PADDLE_ENFORCE(
      power_iters >= 0 && power_iters <= 10000,
      errors::InvalidArgument("argument 'power_iters': expected a value in [0, 10000], got %d", power_iters));
  const int at = static_cast<int>(dim);
  Dim columns = 1;
  for (int i = 0; i < rank; ++i) columns = i == at ? columns : columns * weight.dims(i);
  const auto check = [&](const char* name, const MetaTensor<Dim>& vector, const Dim& size) {
    PADDLE_ENFORCE(
        vector.dims().size() == 1 && vector.dims(0) == size,
        errors::InvalidArgument("argument '%s': expected the shape [%s], got %s", name, size, vector.dims()));
    CheckSameDataType("weight", weight, name, vector);
  };
  check("u", u, weight.dims(at));
  check("v", v, columns);
  SetContiguous(weight.dims(), weight.dtype(), out);
}

}  // namespace phi
