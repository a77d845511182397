// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

// The ops that are views, over ATen's own: so autograd, compile, vmap and functionalization see through them. What
// their arguments mean is said in yaml/ops/.
namespace phi::torch_bridge {

std::vector<at::Tensor> concat_grad(at::TensorList x, const at::Tensor& out_grad, const at::Scalar& axis);
at::Tensor expand(const at::Tensor& x, c10::SymIntArrayRef shape);
at::Tensor flatten(const at::Tensor& x, int64_t start_axis, int64_t stop_axis);
at::Tensor& flatten_(at::Tensor& x, int64_t start_axis, int64_t stop_axis);
at::Tensor reshape(const at::Tensor& x, c10::SymIntArrayRef shape);
at::Tensor& reshape_(at::Tensor& x, c10::SymIntArrayRef shape);
at::Tensor slice(const at::Tensor& input,
                 at::IntArrayRef axes,
                 c10::SymIntArrayRef starts,
                 c10::SymIntArrayRef ends,
                 at::IntArrayRef infer_flags,
                 at::IntArrayRef decrease_axis);
at::Tensor squeeze(const at::Tensor& x, c10::SymIntArrayRef axis);
at::Tensor& squeeze_(at::Tensor& x, c10::SymIntArrayRef axis);
std::vector<at::Tensor> stack_grad(at::TensorList x, const at::Tensor& out_grad, int64_t axis);
at::Tensor transpose(const at::Tensor& x, at::IntArrayRef perm);
at::Tensor& transpose_(at::Tensor& x, at::IntArrayRef perm);
std::vector<at::Tensor> unbind(const at::Tensor& input, int64_t axis);
at::Tensor unsqueeze(const at::Tensor& x, c10::SymIntArrayRef axis);
at::Tensor& unsqueeze_(at::Tensor& x, c10::SymIntArrayRef axis);

}  // namespace phi::torch_bridge
