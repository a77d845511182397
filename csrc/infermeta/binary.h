// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>

#include "common/scalar.h"
#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"

namespace phi {

// Broadcast shape, dtype of x. Strides of an input that has the shape of the result are kept.
template <class Dim>
void ElementwiseInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  // a symbol is asked whether it is the other size only where neither is 1
  if (std::is_same_v<Dim, int64_t> && x.dims() == y.dims()) {
    out->share_dims_and_strides(x);
  } else {
    ShareBroadcast(BroadcastDims(x.dims(), y.dims()), x, y, out);
  }
  out->set_dtype(x.dtype());
  out->set_layout(x.layout());
}

template <class Dim>
void CompareInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  ElementwiseInferMeta(x, y, out);
  out->set_dtype(DataType::BOOL);
}

template <class Dim>
void LogicalBinaryInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  CompareInferMeta(x, y, out);
}

template <class Dim>
void IscloseInferMeta(
    const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, const Scalar& rtol, const Scalar& atol, MetaTensor<Dim>* out) {
  const auto check = [](const char* name, double value) {
    PADDLE_ENFORCE(value >= 0, errors::InvalidArgument("argument '%s': expected at least 0, got %f", name, value));
  };
  check("rtol", rtol.to<double>());
  check("atol", atol.to<double>());
  CompareInferMeta(x, y, out);
}

// Integers and bool give float32.
template <class Dim>
void DivideInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  ElementwiseInferMeta(x, y, out);
  if (!IsFloatingType(x.dtype()) && !IsComplexType(x.dtype())) out->set_dtype(DataType::FLOAT32);
}

// `alpha` has one element, or one for each channel or each element of a row of x.
template <class Dim>
void PReluInferMeta(const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& alpha,
                    const std::string& data_format,
                    const std::string& mode,
                    MetaTensor<Dim>* out) {
  const int rank = x.dims().size();
  PADDLE_ENFORCE(
      data_format == "NCHW" || data_format == "NHWC",
      errors::InvalidArgument("argument 'data_format': expected \"NCHW\" or \"NHWC\", got \"%s\"", data_format));
  PADDLE_ENFORCE(
      mode == "all" || mode == "channel" || mode == "element",
      errors::InvalidArgument("argument 'mode': expected \"all\", \"channel\" or \"element\", got \"%s\"", mode));
  PADDLE_ENFORCE(rank >= (mode == "all"       ? 0
                          : mode == "channel" ? 2
                                              : 1),
                 errors::InvalidArgument(
                     "argument 'x': expected more dimensions for the mode \"%s\", got the shape %s", mode, x.dims()));
  Dim size(1);
  if (mode == "channel") size = x.dims(data_format == "NCHW" ? 1 : rank - 1);
  if (mode == "element") size = product(slice_ddim(x.dims(), 1, rank));
  PADDLE_ENFORCE(
      alpha.numel() == size,
      errors::InvalidArgument("argument 'alpha': expected the number of elements %s for the mode \"%s\", got "
                              "the shape %s",
                              size,
                              mode,
                              alpha.dims()));
  PADDLE_ENFORCE(alpha.dtype() == x.dtype(),
                 errors::InvalidType("argument 'alpha': expected the data type of 'x', %s, got %s",
                                     DataTypeName(x.dtype()),
                                     DataTypeName(alpha.dtype())));
  out->set_dims(x.dims());
  out->set_dtype(x.dtype());
}

// x and y have one shape; without y the halves of the last dimension of x are x and y.
template <class Dim>
void SwiGLUInferMeta(const MetaTensor<Dim>& x, const MetaTensor<Dim>& y, MetaTensor<Dim>* out) {
  if (y) {
    PADDLE_ENFORCE(x.dims() == y.dims(),
                   errors::InvalidArgument("argument 'y': expected the shape %s of 'x', got %s", x.dims(), y.dims()));
    out->share_meta(x);
    return;
  }
  BasicDDim<Dim> dims = x.dims();
  PADDLE_ENFORCE(
      dims.size() > 0 && dims[dims.size() - 1] % 2 == 0,
      errors::InvalidArgument("argument 'x': expected an even last dimension without 'y', got the shape %s", dims));
  dims[dims.size() - 1] = dims[dims.size() - 1] / 2;
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  out->set_layout(x.layout());
}

}  // namespace phi
