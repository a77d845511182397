// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// logits [steps, batch, classes] and labels [batch, count]; an absent length means all.
template <class Dim>
void WarpctcInferMeta(const MetaTensor<Dim>& logits,
                      const MetaTensor<Dim>& label,
                      const MetaTensor<Dim>& logits_length,
                      const MetaTensor<Dim>& labels_length,
                      int64_t blank,
                      MetaTensor<Dim>* loss,
                      MetaTensor<Dim>* warpctcgrad) {
  PADDLE_ENFORCE(
      logits.dims().size() == 3 && logits.dims(0) > 0,
      errors::InvalidArgument(
          "argument 'logits': expected the shape [steps, batch, classes] with a step at least, got %s", logits.dims()));
  const Dim batch = logits.dims(1);
  PADDLE_ENFORCE(blank >= 0 && logits.dims(2) > blank,
                 errors::InvalidArgument(
                     "argument 'blank': expected one of the %s classes of 'logits', got %d", logits.dims(2), blank));
  PADDLE_ENFORCE(
      label.dims().size() == 2 && label.dims(0) == batch,
      errors::InvalidArgument("argument 'label': expected the shape [%s, labels], got %s", batch, label.dims()));
  PADDLE_ENFORCE(label.dtype() == DataType::INT32 || label.dtype() == DataType::INT64,
                 errors::InvalidType("argument 'label': expected int32 or int64, got %s", DataTypeName(label.dtype())));
  const auto check = [&](const char* name, const MetaTensor<Dim>& length) {
    if (!length) return;
    PADDLE_ENFORCE(IsIntegralType(length.dtype()),
                   errors::InvalidType("argument '%s': expected integers, got %s", name, DataTypeName(length.dtype())));
    PADDLE_ENFORCE(
        length.dims().size() == 1 && length.dims(0) == batch,
        errors::InvalidArgument("argument '%s': expected the shape [%s], got %s", name, batch, length.dims()));
  };
  check("logits_length", logits_length);
  check("labels_length", labels_length);
  SetContiguous(BasicDDim<Dim>{batch, Dim(1)}, logits.dtype(), loss);
  SetContiguous(logits.dims(), logits.dtype(), warpctcgrad);
}

}  // namespace phi
