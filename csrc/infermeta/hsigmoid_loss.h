// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of hsigmoid_loss.
namespace phi {

// How many steps the longest path of a tree with this many leaves has.
inline int64_t LongestPath(int64_t num_classes) {
  int64_t steps = 0;
  for (int64_t rest = num_classes - 1; rest > 0; rest /= 2) ++steps;
  return steps;
}

template <class Dim>
void HSigmoidLossInferMeta(const MetaTensor<Dim>& x,
                           const MetaTensor<Dim>& label,
                           const MetaTensor<Dim>& w,
                           const MetaTensor<Dim>& bias,
                           const MetaTensor<Dim>& path,
                           const MetaTensor<Dim>& code,
                           int64_t num_classes,
                           MetaTensor<Dim>* out,
                           MetaTensor<Dim>* pre_out,
                           MetaTensor<Dim>* w_out) {
  PADDLE_ENFORCE(x.dims().size() == 2,
                 errors::InvalidArgument("argument 'x': expected the shape [batch, features], got %s", x.dims()));
  const Dim batch = x.dims(0);
  CheckIndexType("label", label);
  const BasicDDim<Dim> labels = label.dims();
  PADDLE_ENFORCE(
      (labels.size() == 1 || (labels.size() == 2 && labels[1] == 1)) && Same(labels[0], batch),
      errors::InvalidArgument("argument 'label': expected the shape [%s] or [%s, 1], got %s", batch, batch, labels));
  PADDLE_ENFORCE(w.dims().size() == 2 && Same(w.dims(1), x.dims(1)),
                 errors::InvalidArgument("argument 'w': expected the shape [nodes, %s], got %s", x.dims(1), w.dims()));
  CheckOneType("w", w, "x", x);
  CheckOneType("bias", bias, "x", x);
  PADDLE_ENFORCE(
      !bias || Same(bias.numel(), w.dims(0)),
      errors::InvalidArgument(
          "argument 'bias': expected a number for each of the %s rows of 'w', got %s", w.dims(0), bias.dims()));
  PADDLE_ENFORCE(bool(path) == bool(code),
                 errors::InvalidArgument("expected both or none of 'path' and 'code', got one of them"));
  Dim steps = LongestPath(num_classes);
  if (path) {
    CheckIndexType("path", path);
    CheckIndexType("code", code);
    PADDLE_ENFORCE(
        path.dims().size() == 2 && Same(path.dims(0), batch),
        errors::InvalidArgument("argument 'path': expected the shape [%s, steps], got %s", batch, path.dims()));
    PADDLE_ENFORCE(
        Same(code.dims(), path.dims()),
        errors::InvalidArgument("argument 'code': expected the shape %s of 'path', got %s", path.dims(), code.dims()));
    steps = path.dims(1);
  } else {
    PADDLE_ENFORCE(num_classes >= 2,
                   errors::InvalidArgument("argument 'num_classes': expected at least 2, got %d", num_classes));
    PADDLE_ENFORCE(w.dims(0) >= num_classes - 1,
                   errors::InvalidArgument("argument 'w': expected a row for each of the %d nodes above %d classes, "
                                           "got the shape %s",
                                           num_classes - 1,
                                           num_classes,
                                           w.dims()));
  }
  SetContiguous(BasicDDim<Dim>{batch, Dim(1)}, x.dtype(), out);
  SetContiguous(BasicDDim<Dim>{batch, steps}, x.dtype(), pre_out);
  SetContiguous(BasicDDim<Dim>{Dim(0)}, x.dtype(), w_out);
}

}  // namespace phi
