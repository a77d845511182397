// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/binary_linalg.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/matrix.h"
#include "infermeta/set_contiguous.h"

// InferMeta of products of vectors and matrices, and of sums over diagonals.
namespace phi {

// The axis that `axis` names; that of 3 elements first where it is 9, which stands for none.
template <class Dim>
void CrossInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, int64_t axis, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  PADDLE_ENFORCE(x.dims() == y.dims(),
                 errors::InvalidArgument("argument 'y': expected the shape of 'x', %s, got %s", x.dims(), y.dims()));
  bool fits = false;
  if (axis == 9) {
    for (const Dim& d : x.dims()) fits = fits || d == 3;
  } else {
    const int found = CanonicalAxis(axis, x.dims().size());
    fits = x.dims().size() > 0 && x.dims(found) == 3;
  }
  PADDLE_ENFORCE(fits,
                 errors::InvalidArgument("argument 'axis': expected a dimension of 3 elements of the shape %s, got %s",
                                         x.dims(),
                                         axis == 9 ? std::string("none") : std::to_string(axis)));
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void DotInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  const int rank = x.dims().size();
  PADDLE_ENFORCE(rank == 1 || rank == 2,
                 errors::InvalidArgument("argument 'x': expected 1 or 2 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(x.dims() == y.dims(),
                 errors::InvalidArgument("argument 'y': expected the shape of 'x', %s, got %s", x.dims(), y.dims()));
  SetContiguous(slice_ddim(x.dims(), 0, rank - 1), x.dtype(), out);
}

template <class Dim>
void MvInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& vec, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "vec", vec);
  PADDLE_ENFORCE(x.dims().size() == 2,
                 errors::InvalidArgument("argument 'x': expected 2 dimensions, got the shape %s", x.dims()));
  PADDLE_ENFORCE(vec.dims().size() == 1 && vec.dims(0) == x.dims(1),
                 errors::InvalidArgument("argument 'vec': expected the shape [%s], got %s", x.dims(1), vec.dims()));
  SetContiguous(BasicDDim<Dim>{x.dims(0)}, x.dtype(), out);
}

template <class Dim>
void KronInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  const bool is_x_longer = x.dims().size() > y.dims().size();
  BasicDDim<Dim> dims = is_x_longer ? x.dims() : y.dims();
  const BasicDDim<Dim> other = is_x_longer ? y.dims() : x.dims();
  for (int i = 0; i < other.size(); ++i) {
    const int at = dims.size() - other.size() + i;
    dims[at] = CheckedMultiply(dims[at], other[i]);
  }
  SetContiguous(dims, x.dtype(), out);
}

template <class Dim>
void DistInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  PADDLE_ENFORCE(product(BroadcastDims(x.dims(), y.dims())) > 0,
                 errors::InvalidArgument("expected elements, got the shapes %s and %s", x.dims(), y.dims()));
  SetContiguous(BasicDDim<Dim>(), x.dtype(), out);
}

// Checks that the axes differ; returns the rank without them.
template <class Dim>
std::pair<int, int> TwoAxes(const MetaTensor<Dim>& x, int64_t axis1, int64_t axis2) {
  CheckMatrix(x);
  const int first = CanonicalAxis(axis1, x.dims().size(), "axis1");
  const int second = CanonicalAxis(axis2, x.dims().size(), "axis2");
  PADDLE_ENFORCE(
      first != second,
      errors::InvalidArgument("argument 'axis2': expected another axis than 'axis1', got %d of both", first));
  return {first, second};
}

template <class Dim>
void TraceInferMeta(const MetaTensor<Dim>& x, int64_t, int64_t axis1, int64_t axis2, MetaTensor<Dim>* out) {
  const auto [first, second] = TwoAxes(x, axis1, axis2);
  BasicDDim<Dim> dims;
  for (int i = 0; i < x.dims().size(); ++i) {
    if (i != first && i != second) dims.push_back(x.dims(i));
  }
  SetContiguous(dims, x.dtype(), out);
}

template <class Dim>
void MultiDotInferMeta(const std::vector<const MetaTensor<Dim>*>& x, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(x.size() >= 2, errors::InvalidArgument("argument 'x': expected at least 2 tensors, got %d", x.size()));
  BasicDDim<Dim> dims;
  for (size_t i = 0; i < x.size(); ++i) {
    const MetaTensor<Dim>& one = *x[i];
    const bool may_be_vector = i == 0 || i + 1 == x.size();
    const int rank = one.dims().size();
    CheckSameDataType("x[0]", *x[0], "x[i]", one);
    PADDLE_ENFORCE(rank == 2 || (rank == 1 && may_be_vector),
                   errors::InvalidArgument("argument 'x': expected a matrix, or a vector as the first and the last "
                                           "tensor, got the shape %s of tensor %d",
                                           one.dims(),
                                           i));
    if (i > 0) {
      const BasicDDim<Dim>& before = x[i - 1]->dims();
      PADDLE_ENFORCE(
          before[before.size() - 1] == one.dims(0),
          errors::InvalidArgument("argument 'x': the shapes %s and %s of tensors %d and %d do not fit a product",
                                  before,
                                  one.dims(),
                                  i - 1,
                                  i));
    }
    if (i == 0 && rank == 2) dims.push_back(one.dims(0));
    if (i + 1 == x.size() && rank == 2) dims.push_back(one.dims(1));
  }
  SetContiguous(dims, x[0]->dtype(), out);
}

template <class Dim>
void BilinearInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& y,
                       const MetaTensor<Dim>& weight,
                       const MetaTensor<Dim>& bias,
                       MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  CheckSameDataType("x", x, "weight", weight);
  PADDLE_ENFORCE(x.dims().size() == 2 && y.dims().size() == 2 && x.dims(0) == y.dims(0),
                 errors::InvalidArgument(
                     "expected matrices of as many rows, got the shapes %s of 'x' and %s of 'y'", x.dims(), y.dims()));
  PADDLE_ENFORCE(
      weight.dims().size() == 3 && weight.dims(1) == x.dims(1) && weight.dims(2) == y.dims(1),
      errors::InvalidArgument(
          "argument 'weight': expected the shape [out, %s, %s], got %s", x.dims(1), y.dims(1), weight.dims()));
  if (bias) {
    CheckSameDataType("x", x, "bias", bias);
    const BasicDDim<Dim> expected{Dim(1), weight.dims(0)};
    PADDLE_ENFORCE(bias.dims() == expected,
                   errors::InvalidArgument("argument 'bias': expected the shape %s, got %s", expected, bias.dims()));
  }
  SetContiguous(BasicDDim<Dim>{x.dims(0), weight.dims(0)}, x.dtype(), out);
}

template <class Dim>
void BaddbmmInferMeta(const MetaTensor<Dim>& input,
                      const MetaTensor<Dim>& x,
                      const MetaTensor<Dim>& y,
                      MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  CheckSameDataType("x", x, "input", input);
  BmmInferMeta(x, y, out);
  const BasicDDim<Dim> dims = out->dims();
  PADDLE_ENFORCE(
      BroadcastDims(input.dims(), dims, "input", "x @ y") == dims,
      errors::InvalidArgument("argument 'input': expected a shape that broadcasts to %s, got %s", dims, input.dims()));
  SetContiguous(dims, x.dtype(), out);
}

}  // namespace phi
