// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/primitive_factory.h"

namespace phi::primitive {

// q [batch, queries, heads, dim], k and v [batch, keys, heads / n, dim].
struct AttentionInputs {
  const DenseTensor& q;
  const DenseTensor& k;
  const DenseTensor& v;
  const DenseTensor* mask;  // null, or what is added to the scores; broadcasts to [batch, heads, queries, keys]
  bool causal;              // the last query sees all keys, the one before it one less, ...
  const DenseTensor* keep;  // null, or what the softmax is multiplied by: float [batch, heads, queries, keys]
};

// out = softmax(q @ k^T / sqrt(dim) + mask) @ v; a query that sees no key gives 0. `softmax` may be null; `lse`, the
// logarithms of the sums of the softmax, is [batch, heads, queries], of float or, for double, of double. By what torch
// carries, in csrc/torch/. The key is the dtype of q.
struct Attention {
  static constexpr const char* kName = "attention";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const AttentionInputs& in,
                      DenseTensor* out,
                      DenseTensor* softmax,
                      DenseTensor* lse);
};

// Its gradients; one that is null is not wanted.
struct AttentionGrad {
  static constexpr const char* kName = "attention_grad";
  using Key = Attention::Key;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const AttentionInputs& in,
                      const DenseTensor& out,
                      const DenseTensor& lse,
                      const DenseTensor& out_grad,
                      DenseTensor* q_grad,
                      DenseTensor* k_grad,
                      DenseTensor* v_grad);
};

}  // namespace phi::primitive
