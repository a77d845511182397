// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/grads.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>

#include "torch/out_tensor.h"

namespace phi::torch_bridge {

bool AnyDefined(const variable_list& grads) {
  for (const at::Tensor& grad : grads) {
    if (grad.defined()) return true;
  }
  return false;
}

bool Fits(const at::Tensor& grad, const SavedMeta& input) {
  return input.defined && grad.dtype() == input.options.dtype() && grad.sym_sizes().equals(input.sizes);
}

at::Tensor ShapeOnly(const SavedMeta& meta) {
  if (!meta.defined) return at::Tensor();
  if (meta.plain_cpu && !c10::impl::TorchDispatchModeTLS::any_modes_set()) {
    return EmptyExpanded(C10_AS_INTARRAYREF_SLOW(meta.sizes), c10::typeMetaToScalarType(meta.options.dtype()));
  }
  return at::empty({}, meta.options).expand_symint(meta.sizes);
}

std::optional<at::Tensor> OptionalShapeOnly(const SavedMeta& meta) { return IfDefined(ShapeOnly(meta)); }

std::vector<at::Tensor> ShapeOnly(const SavedMetas& metas) {
  std::vector<at::Tensor> tensors;
  tensors.reserve(metas.size());
  for (const SavedMeta& meta : metas) tensors.push_back(ShapeOnly(meta));
  return tensors;
}

// The zeros are one in memory.
at::Tensor GradOrZeros(const at::Tensor& grad, const SavedMeta& meta) {
  return grad.defined() || !meta.defined ? grad : at::zeros({}, meta.options).expand_symint(meta.sizes);
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
