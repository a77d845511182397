// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/matrix.h"
#include "infermeta/products.h"
#include "infermeta/set_contiguous.h"

// InferMeta of diagonals and triangles, and of complex numbers and their parts.
namespace phi {

template <class Dim>
Dim DiagonalSize(const Dim& rows, const Dim& columns, int64_t offset) {
  const Dim height = offset < 0 ? rows + Dim(offset) : rows;
  const Dim width = offset > 0 ? columns - Dim(offset) : columns;
  const Dim size = Least(height, width);
  return size < 0 ? Dim(0) : size;
}

template <class Dim>
void DiagonalInferMeta(const MetaTensor<Dim>& x, int64_t offset, int64_t axis1, int64_t axis2, MetaTensor<Dim>* out) {
  TraceInferMeta(x, offset, axis1, axis2, out);
  const auto [first, second] = TwoAxes(x, axis1, axis2);
  BasicDDim<Dim> dims = out->dims();
  dims.push_back(DiagonalSize(x.dims(first), x.dims(second), offset));
  out->set_dims(dims);
}

template <class Dim>
void DiagEmbedInferMeta(
    const MetaTensor<Dim>& input, int64_t offset, int64_t dim1, int64_t dim2, MetaTensor<Dim>* out) {
  const int rank = input.dims().size() + 1;
  PADDLE_ENFORCE(rank >= 2, errors::InvalidArgument("argument 'input': expected at least one dimension, got none"));
  const int first = CanonicalAxis(dim1, rank, "dim1");
  const int second = CanonicalAxis(dim2, rank, "dim2");
  PADDLE_ENFORCE(first != second,
                 errors::InvalidArgument("argument 'dim2': expected another axis than 'dim1', got %d of both", first));
  const Dim size = input.dims(rank - 2) + Dim(offset < 0 ? -offset : offset);
  BasicDDim<Dim> dims(rank, size);
  for (int i = 0, from = 0; i < rank; ++i) {
    if (i != first && i != second) dims[i] = input.dims(from++);
  }
  SetContiguous(dims, input.dtype(), out);
}

template <class Dim>
void FillDiagonalInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckMatrix(x);
  for (int i = 1; i < x.dims().size() && x.dims().size() > 2; ++i) {
    PADDLE_ENFORCE(x.dims(i) == x.dims(0),
                   errors::InvalidArgument(
                       "argument 'x': expected equal sizes of more than 2 dimensions, got the shape %s", x.dims()));
  }
  SetContiguous(x.dims(), x.dtype(), out);
}

// The diagonals lie along the last dimension of y.
template <class Dim>
void FillDiagonalTensorInferMeta(const MetaTensor<Dim>& x,
                                 const MetaTensor<Dim>& y,
                                 int64_t offset,
                                 int64_t dim1,
                                 int64_t dim2,
                                 MetaTensor<Dim>* out) {
  Expected<Dim> diagonals;
  DiagonalInferMeta(x, offset, dim1, dim2, &diagonals);
  CheckOneType("y", y, "x", x);
  const bool is_row = x.dims().size() == 2 && y.dims().size() == 2 && y.dims(0) == 1 && y.dims(1) == diagonals.dims(0);
  PADDLE_ENFORCE(
      is_row || Same(y.dims(), diagonals.dims()),
      errors::InvalidArgument(
          "argument 'y': expected the shape %s of the diagonals of 'x', got %s", diagonals.dims(), y.dims()));
  SetContiguous(x.dims(), x.dtype(), out);
}

// How many elements of a matrix are below or on the diagonal `offset`.
inline int64_t CountOfTril(int64_t rows, int64_t columns, int64_t offset) {
  int64_t count = 0;
  const int64_t growing = std::min(rows, std::max<int64_t>(0, columns - offset));  // rows that are not full
  for (int64_t row = std::max<int64_t>(0, -offset); row < growing; ++row) count += row + offset + 1;
  return count + (rows - std::max<int64_t>(growing, 0)) * columns;
}

inline void CheckMatrixSizes(int64_t rows, int64_t columns, DataType dtype) {
  PADDLE_ENFORCE(rows >= 0 && columns >= 0 && rows < (1 << 24) && columns < (1 << 24),
                 errors::InvalidArgument(
                     "expected numbers of rows and columns from 0 to %d, got %d and %d", (1 << 24) - 1, rows, columns));
  PADDLE_ENFORCE(dtype == DataType::INT32 || dtype == DataType::INT64,
                 errors::InvalidArgument("argument 'dtype': expected int32 or int64, got %s", DataTypeName(dtype)));
}

template <class Dim>
void TrilIndicesInferMeta(int64_t rows, int64_t cols, int64_t offset, DataType dtype, MetaTensor<Dim>* out) {
  CheckMatrixSizes(rows, cols, dtype);
  SetContiguous(BasicDDim<Dim>{Dim(2), Dim(CountOfTril(rows, cols, offset))}, dtype, out);
}

template <class Dim>
void TriuIndicesInferMeta(int64_t row, int64_t col, int64_t offset, DataType dtype, MetaTensor<Dim>* out) {
  CheckMatrixSizes(row, col, dtype);
  SetContiguous(BasicDDim<Dim>{Dim(2), Dim(row * col - CountOfTril(row, col, offset - 1))}, dtype, out);
}

template <class Dim>
void AsComplexInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(
      rank > 0 && x.dims(rank - 1) == 2,
      errors::InvalidArgument("argument 'x': expected 2 elements in the last dimension, got the shape %s", x.dims()));
  PADDLE_ENFORCE(x.dtype() == DataType::FLOAT32 || x.dtype() == DataType::FLOAT64,
                 errors::InvalidType("argument 'x': expected float32 or float64, got %s", DataTypeName(x.dtype())));
  SetContiguous(slice_ddim(x.dims(), 0, rank - 1), ToComplex(x.dtype()), out);
}

template <class Dim>
void AsRealInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckComplex(x.dtype(), "x");
  BasicDDim<Dim> dims = x.dims();
  dims.push_back(Dim(2));
  SetContiguous(dims, ToReal(x.dtype()), out);
}

template <class Dim>
void ComplexInferMeta(const MetaTensor<Dim>& real, const MetaTensor<Dim>& imag, MetaTensor<Dim>* out) {
  CheckSameDataType("real", real, "imag", imag);
  SetContiguous(BroadcastDims(real.dims(), imag.dims(), "real", "imag"), ToComplex(real.dtype()), out);
}

}  // namespace phi
