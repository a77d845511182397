// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd_node.h"

namespace phi::torch_bridge {

bool AnyDefined(const variable_list& grads) {
  for (const at::Tensor& grad : grads) {
    if (grad.defined()) return true;
  }
  return false;
}

at::Tensor ShapeOnly(const TypeAndSize& meta) { return at::empty({}, meta.options).expand_symint(meta.sym_sizes); }

std::optional<at::Tensor> ShapeOnly(const SavedMeta& meta) {
  return meta ? std::optional(ShapeOnly(*meta)) : std::nullopt;
}

std::vector<at::Tensor> ShapeOnly(const SavedMetas& metas) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(metas.size());
  for (const TypeAndSize& meta : metas) tensors.push_back(ShapeOnly(meta));
  return tensors;
}

at::Tensor GradOrZeros(const at::Tensor& grad, const SavedMeta& meta) {
  return grad.defined() || !meta ? grad : at::zeros_symint(meta->sym_sizes, meta->options);
}

std::vector<at::Tensor> GradsOrZeros(const variable_list& grads, size_t begin, const SavedMetas& metas) {
  std::vector<at::Tensor> filled;
  filled.reserve(metas.size());
  for (size_t i = 0; i < metas.size(); ++i) filled.push_back(GradOrZeros(grads[begin + i], metas[i]));
  return filled;
}

const at::Tensor& Required(const at::Tensor& tensor, const char* op, const char* argument) {
  TORCH_CHECK(tensor.defined(), op, ": needs argument '", argument, "', but the forward op was called without it.");
  return tensor;
}

}  // namespace phi::torch_bridge
