// SPDX-License-Identifier: Apache-2.0
#include "torch/promotion.h"

#include <ATen/native/TypeProperties.h>

namespace phi::torch_bridge {

std::optional<at::ScalarType> detail::PromotedTypeSlow(std::initializer_list<const at::Tensor*> tensors) {
  at::ScalarType first = at::ScalarType::Undefined;
  bool same = true;
  for (const at::Tensor* tensor : tensors) {
    if (tensor == nullptr || !tensor->defined()) continue;
    if (first == at::ScalarType::Undefined) first = tensor->scalar_type();
    same = same && tensor->scalar_type() == first;
  }
  if (same) return std::nullopt;
  at::native::ResultTypeState state = {};
  for (const at::Tensor* tensor : tensors) {
    if (tensor != nullptr && tensor->defined()) state = at::native::update_result_type_state(*tensor, state);
  }
  return at::native::result_type(state);
}

bool NeedsInplaceCast(const char* op, const at::Tensor& overwritten, std::initializer_list<const at::Tensor*> tensors) {
  const std::optional<at::ScalarType> promoted = PromotedType(tensors);
  if (!promoted) return false;
  TORCH_CHECK(at::canCast(*promoted, overwritten.scalar_type()),
              op,
              ": result type ",
              *promoted,
              " can't be cast to ",
              overwritten.scalar_type(),
              ", the dtype of the tensor that is overwritten. Use the functional form, or convert the arguments.");
  return true;
}

at::Tensor Cast(const at::Tensor& tensor, at::ScalarType dtype) {
  if (!tensor.defined() || tensor.scalar_type() == dtype) return tensor;
  TORCH_CHECK_TYPE(!tensor.is_quantized(), "expected a tensor of numbers, got a quantized one; dequantize() it");
  return tensor.to(dtype);
}

std::optional<at::Tensor> Cast(const std::optional<at::Tensor>& tensor, at::ScalarType dtype) {
  return tensor ? std::optional(Cast(*tensor, dtype)) : std::nullopt;
}

}  // namespace phi::torch_bridge
