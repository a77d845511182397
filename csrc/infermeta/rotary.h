// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/meta_tensor.h"
#include "infermeta/data_types.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// The sizes of `sin` and `cos`, [positions, dim] or [1, positions, 1, dim], and of `position_ids` [batch, length].
template <class Dim>
void CheckRotaryTable(const MetaTensor<Dim>& q,
                      const MetaTensor<Dim>& sin,
                      const MetaTensor<Dim>& cos,
                      const MetaTensor<Dim>& position_ids,
                      const Dim& batch,
                      const Dim& length) {
  PADDLE_ENFORCE(static_cast<bool>(sin) == static_cast<bool>(cos),
                 errors::InvalidArgument("arguments 'sin' and 'cos': expected both or none"));
  if (position_ids) {
    const BasicDDim<Dim> dims{batch, length};
    PADDLE_ENFORCE(
        position_ids.dims() == dims,
        errors::InvalidArgument("argument 'position_ids': expected the shape %s, got %s", dims, position_ids.dims()));
    PADDLE_ENFORCE(
        position_ids.dtype() == DataType::INT64,
        errors::InvalidType("argument 'position_ids': expected int64, got %s", DataTypeName(position_ids.dtype())));
  }
  if (!sin) return;
  CheckSameDataType("q", q, "sin", sin);
  CheckSameDataType("q", q, "cos", cos);
  PADDLE_ENFORCE(
      sin.dims() == cos.dims(),
      errors::InvalidArgument("arguments 'sin' and 'cos': expected one shape, got %s and %s", sin.dims(), cos.dims()));
  const int rank = sin.dims().size();
  const bool is_table = rank == 2 || (rank == 4 && sin.dims(0) == 1 && sin.dims(2) == 1);
  PADDLE_ENFORCE(is_table && sin.dims(rank - 1) == q.dims(3),
                 errors::InvalidArgument("argument 'sin': expected the shape [positions, %s] or [1, positions, 1, %s], "
                                         "got %s",
                                         q.dims(3),
                                         q.dims(3),
                                         sin.dims()));
  const Dim count = sin.dims(rank == 4 ? 1 : 0);
  PADDLE_ENFORCE(position_ids ? count >= length : count == length,
                 errors::InvalidArgument("argument 'sin': expected %s positions, those of 'q', or more with "
                                         "'position_ids', got %s",
                                         length,
                                         count));
}

template <class Dim>
void FusedRopeInferMeta(const MetaTensor<Dim>& q,
                        const MetaTensor<Dim>& k,
                        const MetaTensor<Dim>& v,
                        const MetaTensor<Dim>& sin,
                        const MetaTensor<Dim>& cos,
                        const MetaTensor<Dim>& position_ids,
                        bool,
                        bool time_major,
                        double rotary_emb_base,
                        MetaTensor<Dim>* out_q,
                        MetaTensor<Dim>* out_k,
                        MetaTensor<Dim>* out_v) {
  PADDLE_ENFORCE(q.dims().size() == 4 && q.dims(3) % 2 == 0,
                 errors::InvalidArgument("argument 'q': expected the shape [batch, length, heads, dim], or [length, "
                                         "batch, heads, dim], with an even dim, got %s",
                                         q.dims()));
  PADDLE_ENFORCE(
      rotary_emb_base > 0,
      errors::InvalidArgument("argument 'rotary_emb_base': expected a number above 0, got %f", rotary_emb_base));
  CheckRotaryTable(q, sin, cos, position_ids, q.dims(time_major ? 1 : 0), q.dims(time_major ? 0 : 1));
  SetContiguous(q.dims(), q.dtype(), out_q);
  const auto infer = [&](const char* name, const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {
    if (!x) return SetContiguous(BasicDDim<Dim>{Dim(0)}, q.dtype(), out);
    CheckSameDataType("q", q, name, x);
    PADDLE_ENFORCE(
        x.dims().size() == 4 && x.dims(0) == q.dims(0) && x.dims(1) == q.dims(1) && x.dims(3) == q.dims(3),
        errors::InvalidArgument(
            "argument '%s': expected the shape %s of 'q' but for the heads, got %s", name, q.dims(), x.dims()));
    SetContiguous(x.dims(), x.dtype(), out);
  };
  infer("k", k, out_k);
  infer("v", v, out_v);
}

// The gradient of a result that is not there has no element.
template <class Dim>
void FusedRopeGradInferMeta(const MetaTensor<Dim>& sin,
                            const MetaTensor<Dim>& cos,
                            const MetaTensor<Dim>& position_ids,
                            const MetaTensor<Dim>& out_q_grad,
                            const MetaTensor<Dim>& out_k_grad,
                            const MetaTensor<Dim>& out_v_grad,
                            bool use_neox_rotary_style,
                            bool time_major,
                            double rotary_emb_base,
                            MetaTensor<Dim>* q_grad,
                            MetaTensor<Dim>* k_grad,
                            MetaTensor<Dim>* v_grad) {
  const auto if_there = [](const MetaTensor<Dim>& grad) {
    return grad.dims() == BasicDDim<Dim>{Dim(0)} ? MetaTensor<Dim>() : grad;
  };
  FusedRopeInferMeta(out_q_grad,
                     if_there(out_k_grad),
                     if_there(out_v_grad),
                     sin,
                     cos,
                     position_ids,
                     use_neox_rotary_style,
                     time_major,
                     rotary_emb_base,
                     q_grad,
                     k_grad,
                     v_grad);
}

}  // namespace phi
