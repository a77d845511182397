// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/attention.h"
#include "primitive/for_each.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/random.h"

namespace phi {
namespace funcs {

// What the softmax is multiplied by: 0 with the probability `dropout`, else 1 / (1 - dropout).
template <typename Context>
DenseTensor AttentionKeep(const Context& dev_ctx,
                          const DenseTensor& q,
                          const DenseTensor& k,
                          const primitive::PhiloxState& state,
                          float dropout) {
  DenseTensor keep = primitive::EmptyTensor<float>(dev_ctx, {q.dims()[0], q.dims()[2], q.dims()[1], k.dims()[1]});
  float* data = keep.data<float>();
  const float factor = dropout < 1 ? 1 / (1 - dropout) : 0;
  if (keep.numel() == 0) return keep;
  primitive::ForEachUniform<float>(
      dev_ctx, state, keep.numel(), [=] HOSTDEVICE(int64_t i, float u) { data[i] = u < dropout ? 0.0f : factor; });
  return keep;
}

inline primitive::PhiloxState SeedOffsetState(const DenseTensor& seed_offset) {
  const int64_t* values = seed_offset.data<int64_t>();
  return {static_cast<uint64_t>(values[0]), static_cast<uint64_t>(values[1])};
}

}  // namespace funcs

// out = dropout(softmax(q @ k^T / sqrt(dim) + attn_mask)) @ v of q [batch, length, heads, dim]. `seed_offset` says
// which random numbers the dropout took.
template <typename T, typename Context>
void FlashAttnKernel(const Context& dev_ctx,
                     const DenseTensor& q,
                     const DenseTensor& k,
                     const DenseTensor& v,
                     const paddle::optional<DenseTensor>& fixed_seed_offset,
                     const paddle::optional<DenseTensor>& attn_mask,
                     float dropout,
                     bool causal,
                     bool return_softmax,
                     bool is_test,
                     const std::string& rng_name,
                     DenseTensor* out,
                     DenseTensor* softmax,
                     DenseTensor* softmax_lse,
                     DenseTensor* seed_offset) {
  primitive::PhiloxState state{0, 0};
  DenseTensor keep;
  const bool drops = dropout > 0 && !is_test;
  if (drops) {
    const int64_t scores = q.dims()[0] * q.dims()[2] * q.dims()[1] * k.dims()[1];
    state = fixed_seed_offset ? funcs::SeedOffsetState(*fixed_seed_offset)
                              : primitive::MakePhiloxState(dev_ctx, 0, primitive::PhiloxCounters<float>(scores));
    keep = funcs::AttentionKeep(dev_ctx, q, k, state, dropout);
  }
  int64_t* numbers = dev_ctx.template Alloc<int64_t>(seed_offset);
  primitive::ForEach(
      dev_ctx, 2, [=] HOSTDEVICE(int64_t i) { numbers[i] = static_cast<int64_t>(i == 0 ? state.seed : state.offset); });
  if (!return_softmax) dev_ctx.template Alloc<T>(softmax);
  GetPrimitive<primitive::Attention>(dev_ctx, q.dtype())(
      dev_ctx,
      {q, k, v, attn_mask.get_ptr(), causal, drops ? &keep : nullptr},
      out,
      return_softmax ? softmax : nullptr,
      softmax_lse);
}

// The dropout of the forward kernel is made again from `seed_offset`. A null gradient is not computed.
template <typename T, typename Context>
void FlashAttnGradKernel(const Context& dev_ctx,
                         const DenseTensor& q,
                         const DenseTensor& k,
                         const DenseTensor& v,
                         const DenseTensor& out,
                         const DenseTensor& softmax_lse,
                         const DenseTensor& seed_offset,
                         const paddle::optional<DenseTensor>& attn_mask,
                         const DenseTensor& out_grad,
                         float dropout,
                         bool causal,
                         bool is_test,
                         DenseTensor* q_grad,
                         DenseTensor* k_grad,
                         DenseTensor* v_grad) {
  DenseTensor keep;
  const bool drops = dropout > 0 && !is_test;
  if (drops) keep = funcs::AttentionKeep(dev_ctx, q, k, funcs::SeedOffsetState(seed_offset), dropout);
  GetPrimitive<primitive::AttentionGrad>(dev_ctx, q.dtype())(
      dev_ctx,
      {q, k, v, attn_mask.get_ptr(), causal, drops ? &keep : nullptr},
      out,
      softmax_lse,
      out_grad,
      q_grad,
      k_grad,
      v_grad);
}

}  // namespace phi
