// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/number_one.h"

namespace phi {

template <class Dim>
void FCInferMeta(const MetaTensor<Dim>& input,
                 const MetaTensor<Dim>& w,
                 const MetaTensor<Dim>& bias,
                 int64_t in_num_col_dims,
                 const std::string& activation_type,
                 bool padding_weights,
                 MetaTensor<Dim>* out) {
  CheckSameDataType("input", input, "w", w);
  PADDLE_ENFORCE(
      activation_type.empty() || activation_type == "relu",
      errors::InvalidArgument("argument 'activation_type': expected '' or 'relu', got '%s'", activation_type));
  PADDLE_ENFORCE(w.dims().size() == 2,
                 errors::InvalidArgument("argument 'w': expected 2 dimensions, got the shape %s", w.dims()));
  const int rank = input.dims().size();
  PADDLE_ENFORCE(in_num_col_dims >= 1 && in_num_col_dims < rank,
                 errors::InvalidArgument(
                     "argument 'in_num_col_dims': expected a value in [1, %d) for 'input' of the shape %s, got %d",
                     rank,
                     input.dims(),
                     in_num_col_dims));
  const Dim padding = padding_weights ? 4 : 0;
  const Dim rows = w.dims(0) - padding;
  const Dim cols = w.dims(1) - padding;
  const int col_dims = static_cast<int>(in_num_col_dims);
  const Dim width = product(slice_ddim(input.dims(), col_dims, rank));
  PADDLE_ENFORCE(width == rows,
                 errors::InvalidArgument(
                     "a row of 'input' (shape %s, in_num_col_dims %d) has %d elements, expected %d, the rows of "
                     "'w' of the shape %s (padding_weights %d)",
                     input.dims(),
                     in_num_col_dims,
                     width,
                     rows,
                     w.dims(),
                     padding_weights));
  if (bias) {
    CheckSameDataType("input", input, "bias", bias);
    PADDLE_ENFORCE(
        bias.numel() == cols,
        errors::InvalidArgument(
            "argument 'bias': expected %d elements, one for each column of 'w', got the shape %s", cols, bias.dims()));
  }
  BasicDDim<Dim> dims = slice_ddim(input.dims(), 0, col_dims);
  dims.push_back(cols);
  out->set_dims(dims);
  out->set_dtype(input.dtype());
}

// `input` broadcasts to the product.
template <class Dim>
void AddmmInferMeta(const MetaTensor<Dim>& input,
                    const MetaTensor<Dim>& x,
                    const MetaTensor<Dim>& y,
                    MetaTensor<Dim>* out) {
  CheckSameDataType("input", input, "x", x);
  CheckSameDataType("x", x, "y", y);
  PADDLE_ENFORCE(
      x.dims().size() == 2 && y.dims().size() == 2 && x.dims(1) == y.dims(0),
      errors::InvalidArgument(
          "arguments 'x' and 'y': expected matrices that can be multiplied, got %s and %s", x.dims(), y.dims()));
  const BasicDDim<Dim> dims = {x.dims(0), y.dims(1)};
  const int rank = input.dims().size();
  bool fits = rank <= 2;
  for (int i = 1; fits && i <= rank; ++i) {
    const Dim& size = input.dims(rank - i);
    fits = IsNumberOne(size) || size == dims[2 - i];
  }
  PADDLE_ENFORCE(
      fits,
      errors::InvalidArgument(
          "argument 'input': expected a shape that broadcasts to %s, that of the product, got %s", dims, input.dims()));
  out->set_dims(dims);
  out->set_dtype(x.dtype());
}

}  // namespace phi
