// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/decided_by_values.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

// InferMeta of the ops that combine the rows of each segment.
namespace phi {

template <class Dim>
void CheckSegments(const MetaTensor<Dim>& x, const MetaTensor<Dim>& segment_ids, const std::string& pooltype) {
  PADDLE_ENFORCE(x.dims().size() > 0,
                 errors::InvalidArgument("argument 'x': expected at least one dimension, got none"));
  CheckIndexType("segment_ids", segment_ids);
  PADDLE_ENFORCE(segment_ids.dims().size() == 1 && Same(segment_ids.dims(0), x.dims(0)),
                 errors::InvalidArgument(
                     "argument 'segment_ids': expected a number for each of the %s rows of 'x', got the shape %s",
                     x.dims(0),
                     segment_ids.dims()));
  PADDLE_ENFORCE(pooltype == "SUM" || pooltype == "MEAN" || pooltype == "MAX" || pooltype == "MIN",
                 errors::InvalidArgument("argument 'pooltype': expected SUM, MEAN, MAX or MIN, got %s", pooltype));
}

template <class Dim>
void SegmentPoolInferMeta(const MetaTensor<Dim>& x,
                          const MetaTensor<Dim>& segment_ids,
                          const std::string& pooltype,
                          MetaTensor<Dim>* out,
                          MetaTensor<Dim>* summed_ids) {
  CheckSegments(x, segment_ids, pooltype);
  BasicDDim<Dim> dims = x.dims();
  dims[0] = kDecidedByValues;
  out->set_dims(dims);
  out->set_dtype(x.dtype());
  SetContiguous({Dim(pooltype == "MEAN" ? kDecidedByValues : 0), Dim(1)}, x.dtype(), summed_ids);
}

template <class Dim>
void SegmentPoolGradInferMeta(const MetaTensor<Dim>& x,
                              const MetaTensor<Dim>& segment_ids,
                              const MetaTensor<Dim>& out,
                              const MetaTensor<Dim>& summed_ids,
                              const MetaTensor<Dim>& out_grad,
                              const std::string& pooltype,
                              MetaTensor<Dim>* x_grad) {
  CheckSegments(x, segment_ids, pooltype);
  const int rank = x.dims().size();
  PADDLE_ENFORCE(
      out_grad.dims().size() == rank && Same(slice_ddim(out_grad.dims(), 1, rank), slice_ddim(x.dims(), 1, rank)),
      errors::InvalidArgument("argument 'out_grad': expected rows as 'x' has them, of the shape %s, got the shape %s",
                              x.dims(),
                              out_grad.dims()));
  CheckOneType("out_grad", out_grad, "x", x);
  const bool reads_out = pooltype == "MAX" || pooltype == "MIN";
  PADDLE_ENFORCE(!reads_out || (Same(out.dims(), out_grad.dims()) && out.dtype() == out_grad.dtype()),
                 errors::InvalidArgument("argument 'out': expected a tensor like 'out_grad' for %s", pooltype));
  const BasicDDim<Dim> counts{out_grad.dims(0), Dim(1)};
  PADDLE_ENFORCE(
      pooltype != "MEAN" || (summed_ids && summed_ids.dtype() == x.dtype() && Same(summed_ids.dims(), counts)),
      errors::InvalidArgument("argument 'summed_ids': expected the data type of 'x' and the shape %s for MEAN",
                              counts));
  SetContiguous(x.dims(), x.dtype(), x_grad);
}

}  // namespace phi
