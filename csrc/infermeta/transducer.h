// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of warprnnt.
namespace phi {

template <class Dim>
void WarprnntInferMeta(const MetaTensor<Dim>& input,
                       const MetaTensor<Dim>& label,
                       const MetaTensor<Dim>& input_lengths,
                       const MetaTensor<Dim>& label_lengths,
                       int64_t blank,
                       MetaTensor<Dim>* loss,
                       MetaTensor<Dim>* warprnntgrad) {
  PADDLE_ENFORCE(
      input.dims().size() == 4 && input.dims(1) > 0 && input.dims(2) > 0,
      errors::InvalidArgument(
          "argument 'input': expected the shape [batch, steps, labels + 1, classes] with a step at least, got %s",
          input.dims()));
  const Dim batch = input.dims(0), labels = input.dims(2) - 1;
  PADDLE_ENFORCE(blank >= 0 && input.dims(3) > blank,
                 errors::InvalidArgument(
                     "argument 'blank': expected one of the %s classes of 'input', got %d", input.dims(3), blank));
  const BasicDDim<Dim> dims{batch, labels}, lengths{batch};
  const auto check = [](const char* name, const MetaTensor<Dim>& tensor, const BasicDDim<Dim>& expected) {
    CheckIndexType(name, tensor);
    PADDLE_ENFORCE(
        Same(tensor.dims(), expected),
        errors::InvalidArgument("argument '%s': expected the shape %s, got %s", name, expected, tensor.dims()));
  };
  check("label", label, dims);
  check("input_lengths", input_lengths, lengths);
  check("label_lengths", label_lengths, lengths);
  SetContiguous(lengths, input.dtype(), loss);
  SetContiguous(input.dims(), input.dtype(), warprnntgrad);
}

}  // namespace phi
