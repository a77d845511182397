// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <torch/library.h>

namespace phi::torch_bridge {

// Batched, which is the vmap of torch.autograd (`is_grads_batched`, `jacobian(vectorize=True)`): one call for each
// sample, for ops with tensor lists, which torch's own loop does not serve.
torch::CppFunction AutogradLoopBatchRule();

}  // namespace phi::torch_bridge
