// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

// The ops that are views, over ATen's own: so autograd, compile, vmap and functionalization see through them.
namespace phi::torch_bridge {

// A dimension 0 in `shape` is that of `x`, one -1 is inferred.
at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape);
at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape);
at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm);
at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm);

}  // namespace phi::torch_bridge
