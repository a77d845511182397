// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <optional>

// Type promotion among the arguments that an entry's `type_promotion` names, by torch's rules.
namespace phi::torch_bridge {

namespace detail {
std::optional<at::ScalarType> PromotedTypeSlow(std::initializer_list<const at::Tensor*> tensors);
}

// The type that the tensors promote to; none when they agree already. Undefined tensors do not take part.
inline std::optional<at::ScalarType> PromotedType(std::initializer_list<const at::Tensor*> tensors) {
  bool same = true;
  for (const at::Tensor* tensor : tensors) same = same && tensor && tensor->dtype() == (*tensors.begin())->dtype();
  return __builtin_expect(same, 1) ? std::nullopt : detail::PromotedTypeSlow(tensors);
}

// For an in-place op, which keeps the dtype of the tensor that it overwrites: checks that the promoted type casts to
// it, and returns true when another tensor has to be cast. Raises RuntimeError, as torch does, when it does not.
bool NeedsInplaceCast(const char* op, const at::Tensor& overwritten, std::initializer_list<const at::Tensor*> tensors);

// `tensor` as `dtype`, differentiably; itself when it is undefined or has the dtype.
at::Tensor Cast(const at::Tensor& tensor, at::ScalarType dtype);
std::optional<at::Tensor> Cast(const std::optional<at::Tensor>& tensor, at::ScalarType dtype);

// The tensor of an argument, for the functions above.
inline const at::Tensor* TensorOf(const at::Tensor& tensor) { return &tensor; }
inline const at::Tensor* TensorOf(const std::optional<at::Tensor>& tensor) { return tensor ? &*tensor : nullptr; }

}  // namespace phi::torch_bridge
