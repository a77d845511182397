// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <utility>

#include "kernels/funcs/rotary.h"

namespace phi {

namespace detail {

template <typename T, typename Context>
void RotateAll(const Context& dev_ctx,
               const paddle::optional<DenseTensor>& sin,
               const paddle::optional<DenseTensor>& cos,
               const paddle::optional<DenseTensor>& position_ids,
               std::initializer_list<std::pair<const DenseTensor*, DenseTensor*>> tensors,
               bool use_neox_rotary_style,
               bool time_major,
               double base,
               bool backwards) {
  const funcs::RotaryShape shape(tensors.begin()->first->dims(), time_major);
  if (shape.dim == 0) {  // a table of no columns has no number of rows
    for (const auto& [x, out] : tensors) {
      if (out != nullptr) dev_ctx.template Alloc<T>(out);
    }
    return;
  }
  const funcs::RotaryTable<T> table(dev_ctx, shape, sin.get_ptr(), cos.get_ptr(), position_ids.get_ptr(), base);
  const auto pairs = use_neox_rotary_style ? funcs::RotaryPairs::kNeighbours : funcs::RotaryPairs::kHalves;
  for (const auto& [x, out] : tensors) {
    if (out == nullptr) continue;
    dev_ctx.template Alloc<T>(out);
    if (out->numel() > 0) funcs::Rotate<T>(dev_ctx, *x, table, pairs, time_major, backwards, out);
  }
}

}  // namespace detail

template <typename T, typename Context>
void FusedRotaryPositionEmbeddingKernel(const Context& dev_ctx,
                                        const DenseTensor& q,
                                        const paddle::optional<DenseTensor>& k,
                                        const paddle::optional<DenseTensor>& v,
                                        const paddle::optional<DenseTensor>& sin,
                                        const paddle::optional<DenseTensor>& cos,
                                        const paddle::optional<DenseTensor>& position_ids,
                                        bool use_neox_rotary_style,
                                        bool time_major,
                                        float rotary_emb_base,
                                        DenseTensor* out_q,
                                        DenseTensor* out_k,
                                        DenseTensor* out_v) {
  detail::RotateAll<T>(dev_ctx,
                       sin,
                       cos,
                       position_ids,
                       {{&q, out_q}, {k.get_ptr(), out_k}, {v.get_ptr(), out_v}},
                       use_neox_rotary_style,
                       time_major,
                       rotary_emb_base,
                       false);
}

template <typename T, typename Context>
void FusedRotaryPositionEmbeddingGradKernel(const Context& dev_ctx,
                                            const paddle::optional<DenseTensor>& sin,
                                            const paddle::optional<DenseTensor>& cos,
                                            const paddle::optional<DenseTensor>& position_ids,
                                            const DenseTensor& out_q_grad,
                                            const DenseTensor& out_k_grad,
                                            const DenseTensor& out_v_grad,
                                            bool use_neox_rotary_style,
                                            bool time_major,
                                            float rotary_emb_base,
                                            DenseTensor* q_grad,
                                            DenseTensor* k_grad,
                                            DenseTensor* v_grad) {
  detail::RotateAll<T>(dev_ctx,
                       sin,
                       cos,
                       position_ids,
                       {{&out_q_grad, q_grad}, {&out_k_grad, k_grad}, {&out_v_grad, v_grad}},
                       use_neox_rotary_style,
                       time_major,
                       rotary_emb_base,
                       true);
}

}  // namespace phi
