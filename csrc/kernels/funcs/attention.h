// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device_context.h"

// Attention by the libraries that torch carries; implemented in csrc/torch/, for every device.
namespace phi::funcs {

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
// logarithms of the sums of the softmax, is [batch, heads, queries], of float or, for double, of double.
void Attention(
    const DeviceContext& ctx, const AttentionInputs& in, DenseTensor* out, DenseTensor* softmax, DenseTensor* lse);

// A null gradient is not wanted.
void AttentionGrad(const DeviceContext& ctx,
                   const AttentionInputs& in,
                   const DenseTensor& out,
                   const DenseTensor& lse,
                   const DenseTensor& out_grad,
                   DenseTensor* q_grad,
                   DenseTensor* k_grad,
                   DenseTensor* v_grad);

}  // namespace phi::funcs
