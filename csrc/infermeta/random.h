// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/int_array.h"
#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/axes.h"
#include "infermeta/creation.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// Random numbers, and what is drawn with them.
namespace phi {

template <class Dim>
void RandintInferMeta(int64_t low, int64_t high, const IntArrayBase<Dim>& shape, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(low < high,
                 errors::InvalidArgument("argument 'high': expected a number above 'low', %d, got %d", low, high));
  CreateInferMeta(shape, dtype, out);
}

template <class Dim>
void RandpermInferMeta(int64_t n, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(n >= 0, errors::InvalidArgument("argument 'n': expected at least 0, got %d", n));
  out->set_dims({Dim(n)});
  out->set_dtype(dtype);
}

// Shape and dtype of x, contiguous.
template <class Dim>
void ContiguousLikeInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

// A row of indices for each row of weights.
template <class Dim>
void MultinomialInferMeta(const MetaTensor<Dim>& x, const Scalar& num_samples, bool replacement, MetaTensor<Dim>* out) {
  BasicDDim<Dim> dims = x.dims();
  const int rank = dims.size();
  PADDLE_ENFORCE(rank == 1 || rank == 2,
                 errors::InvalidArgument("argument 'x': expected one or two dimensions, got the shape %s", dims));
  PADDLE_ENFORCE(dims[rank - 1] != 0,
                 errors::InvalidArgument("argument 'x': expected at least one category, got the shape %s", dims));
  const int64_t count = num_samples.to<int64_t>();
  PADDLE_ENFORCE(count >= 1, errors::InvalidArgument("argument 'num_samples': expected at least 1, got %d", count));
  PADDLE_ENFORCE(replacement || dims[rank - 1] >= count,
                 errors::InvalidArgument(
                     "argument 'num_samples': expected at most %d, the categories of 'x', got %d; or replacement",
                     dims[rank - 1],
                     count));
  dims[rank - 1] = Dim(count);
  out->set_dims(dims);
  out->set_dtype(DataType::INT64);
}

template <class Dim>
void UniformRandomInplaceInferMeta(
    const MetaTensor<Dim>& x, double min, double max, int64_t diag_num, int64_t diag_step, MetaTensor<Dim>* out) {
  UniformInferMeta(IntArrayBase<Dim>(), x.dtype(), Scalar(min), Scalar(max), out);
  PADDLE_ENFORCE(diag_num >= 0 && diag_step >= 0 && (diag_num == 0 || x.numel() > (diag_num - 1) * (diag_step + 1)),
                 errors::InvalidArgument(
                     "arguments 'diag_num' and 'diag_step': expected elements of 'x', which has %d, got %d that "
                     "are %d + 1 apart",
                     x.numel(),
                     diag_num,
                     diag_step));
  ContiguousLikeInferMeta(x, out);
}

template <class Dim>
void TruncatedGaussianRandomInferMeta(
    const std::vector<int>& shape, double std, double a, double b, DataType dtype, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(std > 0, errors::InvalidArgument("argument 'std': expected a number above 0, got %f", std));
  PADDLE_ENFORCE(a < b, errors::InvalidArgument("argument 'b': expected a number above 'a', %f, got %f", a, b));
  CreateInferMeta(IntArrayBase<Dim>(std::vector<Dim>(shape.begin(), shape.end())), dtype, out);
}

template <class Dim>
void GaussianInplaceInferMeta(const MetaTensor<Dim>& x, double std, MetaTensor<Dim>* out) {
  GaussianInferMeta(IntArrayBase<Dim>(), std, x.dtype(), out);
  ContiguousLikeInferMeta(x, out);
}

template <class Dim>
void ExponentialInferMeta(const MetaTensor<Dim>& x, double lam, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(lam > 0, errors::InvalidArgument("argument 'lam': expected a number above 0, got %f", lam));
  ContiguousLikeInferMeta(x, out);
}

template <class Dim>
void GumbelSoftmaxInferMeta(const MetaTensor<Dim>& x, double temperature, int64_t axis, MetaTensor<Dim>* out) {
  PADDLE_ENFORCE(temperature > 0,
                 errors::InvalidArgument("argument 'temperature': expected a number above 0, got %f", temperature));
  CanonicalAxis(axis, x.dims().size());
  ContiguousLikeInferMeta(x, out);
}

template <class Dim>
void FusedDropoutAddInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& y,
                              const MetaTensor<Dim>& seed_tensor,
                              const Scalar& p,
                              const std::string& mode,
                              MetaTensor<Dim>* out,
                              MetaTensor<Dim>* seed_offset) {
  DropoutInferMeta<Dim>(x, seed_tensor, p, false, mode, out, nullptr);
  PADDLE_ENFORCE(y.dims() == x.dims(),
                 errors::InvalidArgument("argument 'y': expected the shape %s of 'x', got %s", x.dims(), y.dims()));
  PADDLE_ENFORCE(y.dtype() == x.dtype(),
                 errors::InvalidType(
                     "argument 'y': expected %s as 'x', got %s", DataTypeName(x.dtype()), DataTypeName(y.dtype())));
  ContiguousLikeInferMeta(x, out);
  if (!seed_offset) return;
  seed_offset->set_dims({Dim(2)});
  seed_offset->set_dtype(DataType::INT64);
}

template <class Dim>
void FusedDropoutAddGradInferMeta(const MetaTensor<Dim>& seed_offset,
                                  const MetaTensor<Dim>& out_grad,
                                  const Scalar& p,
                                  const std::string& mode,
                                  MetaTensor<Dim>* x_grad,
                                  MetaTensor<Dim>* y_grad) {
  PADDLE_ENFORCE(seed_offset.numel() == 2 && seed_offset.dtype() == DataType::INT64,
                 errors::InvalidArgument("argument 'seed_offset': expected 2 elements of int64"));
  CheckDropout(p, mode);
  for (MetaTensor<Dim>* grad : {x_grad, y_grad}) {
    if (grad) ContiguousLikeInferMeta(out_grad, grad);
  }
}

template <class Dim>
void RReluInferMeta(
    const MetaTensor<Dim>& x, double lower, double upper, MetaTensor<Dim>* out, MetaTensor<Dim>* noise) {
  PADDLE_ENFORCE(lower >= 0 && lower <= upper && upper <= 1,
                 errors::InvalidArgument("expected 0 <= 'lower' <= 'upper' <= 1, got %f and %f", lower, upper));
  SetContiguous(x.dims(), x.dtype(), out);
  SetContiguous(x.dims(), x.dtype(), noise);
}

template <class Dim>
void RReluGradInferMeta(const MetaTensor<Dim>& x,
                        const MetaTensor<Dim>& noise,
                        const MetaTensor<Dim>& out_grad,
                        MetaTensor<Dim>* x_grad) {
  CheckGiven("noise", noise, x);
  CheckGiven("out_grad", out_grad, x);
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

template <class Dim>
void TopPSamplingInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& ps,
                           const MetaTensor<Dim>& threshold,
                           const MetaTensor<Dim>& topp_seed,
                           int64_t k,
                           const std::string& mode,
                           MetaTensor<Dim>* out,
                           MetaTensor<Dim>* ids,
                           MetaTensor<Dim>* topk_scores,
                           MetaTensor<Dim>* topk_ids) {
  PADDLE_ENFORCE(
      x.dims().size() == 2 && x.dims(1) > 0,
      errors::InvalidArgument("argument 'x': expected [rows, columns] with a column, got the shape %s", x.dims()));
  const auto check = [&](const char* name, const MetaTensor<Dim>& of_rows, DataType dtype) {
    if (!of_rows) return;
    PADDLE_ENFORCE(
        of_rows.numel() == x.dims(0),
        errors::InvalidArgument("argument '%s': expected an element for each of the %s rows, got the shape %s",
                                name,
                                x.dims(0),
                                of_rows.dims()));
    PADDLE_ENFORCE(of_rows.dtype() == dtype,
                   errors::InvalidType(
                       "argument '%s': expected %s, got %s", name, DataTypeName(dtype), DataTypeName(of_rows.dtype())));
  };
  check("ps", ps, x.dtype());
  check("threshold", threshold, x.dtype());
  check("topp_seed", topp_seed, DataType::INT64);
  PADDLE_ENFORCE(k >= 0 && Dim(k) <= x.dims(1),
                 errors::InvalidArgument("argument 'k': expected a value in [0, %s], got %d", x.dims(1), k));
  PADDLE_ENFORCE(mode == "truncated" || mode == "truncate" || mode == "non-truncated",
                 errors::InvalidArgument("argument 'mode': expected 'truncated' or 'non-truncated', got '%s'", mode));
  SetContiguous({x.dims(0), Dim(1)}, x.dtype(), out);
  SetContiguous({x.dims(0), Dim(1)}, DataType::INT64, ids);
  SetContiguous({x.dims(0), Dim(k)}, x.dtype(), topk_scores);
  SetContiguous({x.dims(0), Dim(k)}, DataType::INT64, topk_ids);
}

}  // namespace phi
