// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/one_process.h"
#include "infermeta/set_contiguous.h"

// InferMeta of margin_cross_entropy.
namespace phi {

template <class Dim>
void MarginCrossEntropyInferMeta(const MetaTensor<Dim>& logits,
                                 const MetaTensor<Dim>& label,
                                 int64_t rank,
                                 int64_t nranks,
                                 MetaTensor<Dim>* softmax,
                                 MetaTensor<Dim>* loss) {
  CheckOneProcess(rank, nranks);
  const int last = logits.dims().size() - 1;
  PADDLE_ENFORCE(
      last >= 0 && logits.dims(last) > 0,
      errors::InvalidArgument("argument 'logits': expected the shape [..., classes], got %s", logits.dims()));
  CheckIndexType("label", label);
  const BasicDDim<Dim> batch = slice_ddim(logits.dims(), 0, last);
  BasicDDim<Dim> dims = batch;
  dims.push_back(Dim(1));
  const bool is_column = label.dims().size() == dims.size();
  PADDLE_ENFORCE(
      Same(label.dims(), is_column ? dims : batch),
      errors::InvalidArgument("argument 'label': expected the shape %s or %s, got %s", batch, dims, label.dims()));
  SetContiguous(logits.dims(), logits.dtype(), softmax);
  SetContiguous(dims, logits.dtype(), loss);
}

}  // namespace phi
