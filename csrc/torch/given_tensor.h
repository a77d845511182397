// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/dense_tensor.h"

namespace phi::torch_bridge {

// The torch tensor that `tensor` was made of by ToPhi, as long as it is all of it; else one on its memory.
at::Tensor GivenOrToTorch(const DenseTensor& tensor);

}  // namespace phi::torch_bridge
