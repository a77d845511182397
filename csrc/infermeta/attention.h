// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/broadcast.h"
#include "infermeta/data_types.h"
#include "infermeta/given.h"
#include "infermeta/set_contiguous.h"

namespace phi {

template <class Dim>
void FlashAttnInferMeta(const MetaTensor<Dim>& q,
                        const MetaTensor<Dim>& k,
                        const MetaTensor<Dim>& v,
                        const MetaTensor<Dim>& fixed_seed_offset,
                        const MetaTensor<Dim>& attn_mask,
                        double dropout,
                        bool return_softmax,
                        MetaTensor<Dim>* out,
                        MetaTensor<Dim>* softmax,
                        MetaTensor<Dim>* softmax_lse,
                        MetaTensor<Dim>* seed_offset) {
  PADDLE_ENFORCE(q.dims().size() == 4 && k.dims().size() == 4,
                 errors::InvalidArgument("expected 4 dimensions [batch, length, heads, dim] of 'q' and 'k', got the "
                                         "shapes %s and %s",
                                         q.dims(),
                                         k.dims()));
  PADDLE_ENFORCE(k.dims() == v.dims(),
                 errors::InvalidArgument("'k' and 'v' must have one shape, got %s and %s", k.dims(), v.dims()));
  PADDLE_ENFORCE(q.dims(0) == k.dims(0) && q.dims(3) == k.dims(3),
                 errors::InvalidArgument("'q' and 'k' must have the same batch and dim (dimensions 0 and 3), got the "
                                         "shapes %s and %s",
                                         q.dims(),
                                         k.dims()));
  PADDLE_ENFORCE(k.dims(2) > 0 && q.dims(2) / k.dims(2) * k.dims(2) == q.dims(2),
                 errors::InvalidArgument("the heads of 'q' (dimension 2) must be a multiple of those of 'k', got the "
                                         "shapes %s and %s",
                                         q.dims(),
                                         k.dims()));
  PADDLE_ENFORCE(q.dtype() == k.dtype() && q.dtype() == v.dtype(),
                 errors::InvalidType("arguments 'q', 'k' and 'v' must have the same data type, got %s, %s and %s",
                                     DataTypeName(q.dtype()),
                                     DataTypeName(k.dtype()),
                                     DataTypeName(v.dtype())));
  PADDLE_ENFORCE(dropout >= 0 && dropout <= 1,
                 errors::InvalidArgument("argument 'dropout': expected a value in [0, 1], got %f", dropout));
  const BasicDDim<Dim> scores{q.dims(0), q.dims(2), q.dims(1), k.dims(1)};
  if (attn_mask) {
    PADDLE_ENFORCE(attn_mask.dtype() == q.dtype(),
                   errors::InvalidType("argument 'attn_mask': expected %s as 'q', got %s",
                                       DataTypeName(q.dtype()),
                                       DataTypeName(attn_mask.dtype())));
    PADDLE_ENFORCE(
        attn_mask.dims().size() <= 4 && BroadcastDims(attn_mask.dims(), scores, "attn_mask", "the scores") == scores,
        errors::InvalidArgument(
            "argument 'attn_mask': expected a shape that broadcasts to %s, got %s", scores, attn_mask.dims()));
  }
  PADDLE_ENFORCE(!fixed_seed_offset || (fixed_seed_offset.numel() == 2 && fixed_seed_offset.dtype() == DataType::INT64),
                 errors::InvalidArgument("argument 'fixed_seed_offset': expected 2 elements of int64"));
  SetContiguous(q.dims(), q.dtype(), out);
  SetContiguous(return_softmax ? scores : BasicDDim<Dim>{Dim(0)}, q.dtype(), softmax);
  SetContiguous(BasicDDim<Dim>{q.dims(0), q.dims(2), q.dims(1)}, AccumulateType(q.dtype()), softmax_lse);
  SetContiguous(BasicDDim<Dim>{Dim(2)}, DataType::INT64, seed_offset);
}

template <class Dim>
void FlashAttnGradInferMeta(const MetaTensor<Dim>& q,
                            const MetaTensor<Dim>& k,
                            const MetaTensor<Dim>& v,
                            const MetaTensor<Dim>& softmax_lse,
                            const MetaTensor<Dim>& seed_offset,
                            const MetaTensor<Dim>& attn_mask,
                            const MetaTensor<Dim>& out_grad,
                            double dropout,
                            MetaTensor<Dim>* q_grad,
                            MetaTensor<Dim>* k_grad,
                            MetaTensor<Dim>* v_grad) {
  TensorMeta<Dim> out_meta, lse_meta;
  MetaTensor<Dim> out(&out_meta), lse(&lse_meta);
  FlashAttnInferMeta<Dim>(q, k, v, seed_offset, attn_mask, dropout, false, &out, nullptr, &lse, nullptr);
  CheckGiven("out_grad", out_grad, out);
  CheckGiven("softmax_lse", softmax_lse, lse);
  SetContiguous(q.dims(), q.dtype(), q_grad);
  SetContiguous(k.dims(), k.dtype(), k_grad);
  SetContiguous(v.dims(), v.dtype(), v_grad);
}

}  // namespace phi
