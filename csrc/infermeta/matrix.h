// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

// InferMeta of decompositions, solvers and numbers of matrices, which are the last two dimensions.
namespace phi {

template <class Dim>
void CheckMatrix(const MetaTensor<Dim>& x, const char* name = "x") {
  PADDLE_ENFORCE(
      x.dims().size() >= 2,
      errors::InvalidArgument("argument '%s': expected at least 2 dimensions, got the shape %s", name, x.dims()));
}

template <class Dim>
void CheckSquare(const MetaTensor<Dim>& x, const char* name = "x") {
  CheckMatrix(x, name);
  const int rank = x.dims().size();
  PADDLE_ENFORCE(x.dims(rank - 2) == x.dims(rank - 1),
                 errors::InvalidArgument("argument '%s': expected square matrices, got the shape %s", name, x.dims()));
}

// The dimensions before the matrix, and then `last`.
template <class Dim>
BasicDDim<Dim> BatchWith(const MetaTensor<Dim>& x, std::initializer_list<Dim> last = {}) {
  BasicDDim<Dim> dims = slice_ddim(x.dims(), 0, x.dims().size() - 2);
  for (const Dim& d : last) dims.push_back(d);
  return dims;
}

// The smaller one, without a guard on which that is.
template <class Dim>
Dim Least(const Dim& a, const Dim& b) {
  if constexpr (std::is_integral_v<Dim>) {
    return a < b ? a : b;
  } else {
    return a.min(b);
  }
}

template <class Dim>
Dim Rows(const MetaTensor<Dim>& x) {
  return x.dims(x.dims().size() - 2);
}
template <class Dim>
Dim Columns(const MetaTensor<Dim>& x) {
  return x.dims(x.dims().size() - 1);
}
template <class Dim>
Dim Shorter(const MetaTensor<Dim>& x) {
  return Least(Rows(x), Columns(x));
}

// Square matrices in, and as many out.
template <class Dim>
void SquareInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckSquare(x);
  SetContiguous(x.dims(), x.dtype(), out);
}

template <class Dim>
void SvdInferMeta(
    const MetaTensor<Dim>& x, bool full_matrices, MetaTensor<Dim>* u, MetaTensor<Dim>* s, MetaTensor<Dim>* vh) {
  CheckMatrix(x);
  const Dim k = Shorter(x);
  SetContiguous(BatchWith(x, {Rows(x), full_matrices ? Rows(x) : k}), x.dtype(), u);
  SetContiguous(BatchWith(x, {k}), ToReal(x.dtype()), s);
  SetContiguous(BatchWith(x, {full_matrices ? Columns(x) : k, Columns(x)}), x.dtype(), vh);
}

template <class Dim>
void SvdvalsInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* s) {
  CheckMatrix(x);
  SetContiguous(BatchWith(x, {Shorter(x)}), ToReal(x.dtype()), s);
}

template <class Dim>
void QrInferMeta(const MetaTensor<Dim>& x, const std::string& mode, MetaTensor<Dim>* q, MetaTensor<Dim>* r) {
  CheckMatrix(x);
  PADDLE_ENFORCE(mode == "reduced" || mode == "complete" || mode == "r",
                 errors::InvalidArgument("argument 'mode': expected 'reduced', 'complete' or 'r', got '%s'", mode));
  const Dim k = mode == "complete" ? Rows(x) : Shorter(x);
  SetContiguous(mode == "r" ? BasicDDim<Dim>{Dim(0)} : BatchWith(x, {Rows(x), k}), x.dtype(), q);
  SetContiguous(BatchWith(x, {k, Columns(x)}), x.dtype(), r);
}

inline void CheckUplo(const std::string& uplo, const char* argument) {
  PADDLE_ENFORCE(uplo == "L" || uplo == "U",
                 errors::InvalidArgument("argument '%s': expected 'L' or 'U', got '%s'", argument, uplo));
}

template <class Dim>
void EighInferMeta(const MetaTensor<Dim>& x, const std::string& UPLO, MetaTensor<Dim>* out_w, MetaTensor<Dim>* out_v) {
  CheckSquare(x);
  CheckUplo(UPLO, "UPLO");
  SetContiguous(BatchWith(x, {Rows(x)}), ToReal(x.dtype()), out_w);
  SetContiguous(x.dims(), x.dtype(), out_v);
}

template <class Dim>
void EigvalshInferMeta(const MetaTensor<Dim>& x,
                       const std::string& uplo,
                       bool is_test,
                       MetaTensor<Dim>* eigenvalues,
                       MetaTensor<Dim>* eigenvectors) {
  CheckSquare(x);
  CheckUplo(uplo, "uplo");
  SetContiguous(BatchWith(x, {Rows(x)}), ToReal(x.dtype()), eigenvalues);
  SetContiguous(is_test ? BasicDDim<Dim>{Dim(0)} : x.dims(), x.dtype(), eigenvectors);
}

template <class Dim>
void EigvalsInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckSquare(x);
  SetContiguous(BatchWith(x, {Rows(x)}), ToComplex(x.dtype()), out);
}

template <class Dim>
void EigInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out_w, MetaTensor<Dim>* out_v) {
  EigvalsInferMeta(x, out_w);
  SetContiguous(x.dims(), ToComplex(x.dtype()), out_v);
}

template <class Dim>
void DeterminantInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckSquare(x);
  SetContiguous(BatchWith(x), x.dtype(), out);
}

template <class Dim>
void SlogdetInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  CheckSquare(x);
  BasicDDim<Dim> dims{Dim(2)};
  for (const Dim& d : BatchWith(x)) dims.push_back(d);
  SetContiguous(dims, x.dtype(), out);
}

// The batches of the matrices of x and y, which broadcast, with the matrix of `like`.
template <class Dim>
void BroadcastMatrices(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& y,
                       const MetaTensor<Dim>& like,
                       MetaTensor<Dim>* out) {
  CheckSameDataType("x", x, "y", y);
  BasicDDim<Dim> dims = BroadcastDims(BatchWith(x), BatchWith(y));
  dims.push_back(Rows(like));
  dims.push_back(Columns(like));
  SetContiguous(dims, x.dtype(), out);
}

// Systems x of square matrices, and right sides y with as many rows.
template <class Dim>
void CheckSystem(const MetaTensor<Dim>& x, const char* x_name, const MetaTensor<Dim>& y, const char* y_name) {
  CheckSquare(x, x_name);
  CheckMatrix(y, y_name);
  PADDLE_ENFORCE(
      Rows(x) == Rows(y),
      errors::InvalidArgument(
          "expected as many rows of '%s' as of '%s', got the shapes %s and %s", y_name, x_name, y.dims(), x.dims()));
}

template <class Dim>
void SolveInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CheckSquare(x);
  const BasicDDim<Dim> vectors = BatchWith(x, {Rows(x)});
  if (y.dims().size() != 1 && y.dims() != vectors) {
    CheckSystem(x, "x", y, "y");
    return BroadcastMatrices(x, y, y, out);
  }
  CheckSameDataType("x", x, "y", y);
  PADDLE_ENFORCE(Rows(x) == y.dims(y.dims().size() - 1),
                 errors::InvalidArgument(
                     "expected as many elements of 'y' as rows of 'x', got the shapes %s and %s", y.dims(), x.dims()));
  SetContiguous(vectors, x.dtype(), out);
}

template <class Dim>
void TriangularSolveInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, bool, bool, bool, MetaTensor<Dim>* out) {
  CheckSystem(x, "x", y, "y");
  BroadcastMatrices(x, y, y, out);
}

template <class Dim>
void CholeskySolveInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, bool, MetaTensor<Dim>* out) {
  CheckSystem(y, "y", x, "x");
  BroadcastMatrices(x, y, x, out);
}

template <class Dim>
void MatrixRankInferMeta(const MetaTensor<Dim>& x, bool hermitian, MetaTensor<Dim>* out) {
  hermitian ? CheckSquare(x) : CheckMatrix(x);
  SetContiguous(BatchWith(x), DataType::INT64, out);
}

template <class Dim>
void MatrixRankTolInferMeta(const MetaTensor<Dim>& x,
                            const MetaTensor<Dim>& atol_tensor,
                            bool hermitian,
                            MetaTensor<Dim>* out) {
  MatrixRankInferMeta(x, hermitian, out);
  PADDLE_ENFORCE(atol_tensor.dtype() == ToReal(x.dtype()),
                 errors::InvalidType("argument 'atol_tensor': expected %s for 'x' of %s, got %s",
                                     DataTypeName(ToReal(x.dtype())),
                                     DataTypeName(x.dtype()),
                                     DataTypeName(atol_tensor.dtype())));
  out->set_dims(BroadcastDims(BatchWith(x), atol_tensor.dims(), "x", "atol_tensor"));
}

template <class Dim>
void LUInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out, MetaTensor<Dim>* pivots, MetaTensor<Dim>* infos) {
  CheckMatrix(x);
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(BatchWith(x, {Shorter(x)}), DataType::INT32, pivots);
  SetContiguous(BatchWith(x), DataType::INT32, infos);
}

template <class Dim>
void LUUnpackInferMeta(const MetaTensor<Dim>& x,
                       const MetaTensor<Dim>& y,
                       bool unpack_ludata,
                       bool unpack_pivots,
                       MetaTensor<Dim>* pmat,
                       MetaTensor<Dim>* l,
                       MetaTensor<Dim>* u) {
  CheckMatrix(x);
  PADDLE_ENFORCE(y.dtype() == DataType::INT32,
                 errors::InvalidType("argument 'y': expected int32, got %s", DataTypeName(y.dtype())));
  PADDLE_ENFORCE(y.dims() == BatchWith(x, {Shorter(x)}),
                 errors::InvalidArgument("argument 'y': expected the pivots of 'x', which has the shape %s, got the "
                                         "shape %s",
                                         x.dims(),
                                         y.dims()));
  const BasicDDim<Dim> none{Dim(0)};
  SetContiguous(unpack_pivots ? BatchWith(x, {Rows(x), Rows(x)}) : none, x.dtype(), pmat);
  SetContiguous(unpack_ludata ? BatchWith(x, {Rows(x), Shorter(x)}) : none, x.dtype(), l);
  SetContiguous(unpack_ludata ? BatchWith(x, {Shorter(x), Columns(x)}) : none, x.dtype(), u);
}

template <class Dim>
void LUSolveInferMeta(const MetaTensor<Dim>& b,
                      const MetaTensor<Dim>& lu,
                      const MetaTensor<Dim>& pivots,
                      const std::string& trans,
                      MetaTensor<Dim>* out) {
  CheckSystem(lu, "lu", b, "b");
  CheckSameDataType("lu", lu, "b", b);
  PADDLE_ENFORCE(pivots.dtype() == DataType::INT32,
                 errors::InvalidType("argument 'pivots': expected int32, got %s", DataTypeName(pivots.dtype())));
  PADDLE_ENFORCE(
      pivots.dims() == BatchWith(lu, {Rows(lu)}),
      errors::InvalidArgument("argument 'pivots': expected those of 'lu', which has the shape %s, got the shape %s",
                              lu.dims(),
                              pivots.dims()));
  PADDLE_ENFORCE(trans == "N" || trans == "T" || trans == "C",
                 errors::InvalidArgument("argument 'trans': expected \"N\", \"T\" or \"C\", got \"%s\"", trans));
  BroadcastMatrices(lu, b, b, out);
}

template <class Dim>
void LstsqInferMeta(const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& y,
                    const std::string& driver,
                    MetaTensor<Dim>* solution,
                    MetaTensor<Dim>* residuals,
                    MetaTensor<Dim>* rank,
                    MetaTensor<Dim>* singular_values) {
  PADDLE_ENFORCE(
      driver == "gels" || driver == "gelsy" || driver == "gelsd" || driver == "gelss",
      errors::InvalidArgument("argument 'driver': expected 'gels', 'gelsy', 'gelsd' or 'gelss', got '%s'", driver));
  CheckSameDataType("x", x, "y", y);
  CheckMatrix(x);
  CheckMatrix(y, "y");
  PADDLE_ENFORCE(
      BatchWith(x) == BatchWith(y) && Rows(x) == Rows(y),
      errors::InvalidArgument("argument 'y': expected matrices of %s rows, as many as 'x' has, which has the "
                              "shape %s, got %s",
                              Rows(x),
                              x.dims(),
                              y.dims()));
  const BasicDDim<Dim> none{Dim(0)};
  const bool has_residuals = driver != "gelsy" && Rows(x) > Columns(x);
  SetContiguous(BatchWith(x, {Columns(x), Columns(y)}), x.dtype(), solution);
  SetContiguous(has_residuals ? BatchWith(x, {Columns(y)}) : none, x.dtype(), residuals);
  SetContiguous(driver == "gels" ? none : BatchWith(x), DataType::INT32, rank);
  const bool has_values = driver == "gelsd" || driver == "gelss";
  SetContiguous(has_values ? BatchWith(x, {Shorter(x)}) : none, x.dtype(), singular_values);
}

}  // namespace phi
