// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/number_one.h"

// Shapes that broadcast, as in NumPy.
namespace phi {

// The shape that x and y, which an error names, broadcast to, as in NumPy.
template <class Dim>
BasicDDim<Dim> BroadcastDims(const BasicDDim<Dim>& x,
                             const BasicDDim<Dim>& y,
                             const char* x_name = "x",
                             const char* y_name = "y") {
  const int rank = x.size() > y.size() ? x.size() : y.size();
  BasicDDim<Dim> out(rank, Dim(1));
  for (int i = 0; i < rank; ++i) {
    const int xi = i - (rank - x.size());
    const int yi = i - (rank - y.size());
    if (xi < 0 || yi < 0) {
      out[i] = xi < 0 ? y[yi] : x[xi];
    } else if (IsNumberOne(x[xi]) || IsNumberOne(y[yi])) {
      out[i] = IsNumberOne(x[xi]) ? y[yi] : x[xi];
    } else if (x[xi] == y[yi] || y[yi] == 1) {
      out[i] = x[xi];
    } else {
      PADDLE_ENFORCE(
          x[xi] == 1,
          errors::InvalidArgument("the shapes %s of '%s' and %s of '%s' do not broadcast: dimension %d is %d "
                                  "and %d; they must be equal or one of them 1",
                                  x,
                                  x_name,
                                  y,
                                  y_name,
                                  i,
                                  x[xi],
                                  y[yi]));
      out[i] = y[yi];
    }
  }
  return out;
}

// The shape `dims`, in the strides of x or else of y where they have that shape.
template <class Dim>
void ShareBroadcast(const BasicDDim<Dim>& dims,
                    const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& y,
                    MetaTensor<Dim>* out) {
  if (x.is_contiguous() && y.is_contiguous()) {
    out->set_dims(dims);
  } else if (x.dims() == dims) {
    out->share_dims_and_strides(x);
  } else if (y.dims() == dims) {
    out->share_dims_and_strides(y);
  } else {
    out->set_dims(dims);
  }
}

}  // namespace phi
