// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// `grid` has a position for each element of the result, in as many coordinates as `x` has spatial axes.
template <class Dim>
void GridSampleInferMeta(const MetaTensor<Dim>& x,
                         const MetaTensor<Dim>& grid,
                         const std::string& mode,
                         const std::string& padding_mode,
                         bool,
                         MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "grid", grid);
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank == 4 || rank == 5,
                 errors::InvalidArgument("argument 'x': expected 4 or 5 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(grid.dims().size() == rank && grid.dims(rank - 1) == rank - 2 && grid.dims(0) == x.dims(0),
                 errors::InvalidArgument("argument 'grid': expected %d dimensions, the first of %s and the last of %d "
                                         "elements, for 'x' of the shape %s, got the shape %s",
                                         rank,
                                         x.dims(0),
                                         rank - 2,
                                         x.dims(),
                                         grid.dims()));
  PADDLE_ENFORCE(mode == "bilinear" || mode == "nearest",
                 errors::InvalidArgument("argument 'mode': expected \"bilinear\" or \"nearest\", got \"%s\"", mode));
  PADDLE_ENFORCE(padding_mode == "zeros" || padding_mode == "border" || padding_mode == "reflection",
                 errors::InvalidArgument("argument 'padding_mode': expected \"zeros\", \"border\" or \"reflection\", "
                                         "got \"%s\"",
                                         padding_mode));
  BasicDDim<Dim> dims = x.dims();
  for (int i = 2; i < rank; ++i) {
    PADDLE_ENFORCE(
        x.dims(i) > 0,
        errors::InvalidArgument("argument 'x': expected images that are not empty, got the shape %s", x.dims()));
    dims[i] = grid.dims(i - 1);
  }
  SetContiguous(dims, x.dtype(), out);
}

}  // namespace phi
