// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

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
                         DenseTensor* v_grad);

}  // namespace phi
