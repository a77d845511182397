// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/input.h"
#include "api/trace.h"
#include "core/selected_rows.h"
#include "core/sparse_tensor.h"
#include "torch/out_tensor.h"

// How torch holds the tensors of PHI's classes, a kind each; codegen/types/kinds.py says behind which of torch's keys.
namespace phi::torch_bridge {

// For each class a specialisation, also of an extension's own:
//   static bool Holds(const at::Tensor& tensor);          // whether a defined tensor is one of the class
//   static T ToPhi(const at::Tensor& tensor);             // shares the memory, and keeps it
//   static at::Tensor ToTorch(const T& tensor);           // of a tensor that a kernel made
//   static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options);  // for a call that is
//   traced
template <typename T>
struct TorchForm;

template <>
struct TorchForm<DenseTensor> {
  static bool Holds(const at::Tensor& tensor) { return tensor.layout() == at::kStrided; }
};

// A hybrid COO tensor with one sparse dimension.
template <>
struct TorchForm<SelectedRows> {
  static bool Holds(const at::Tensor& tensor);
  static SelectedRows ToPhi(const at::Tensor& tensor);
  static at::Tensor ToTorch(const SelectedRows& rows);
  static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options);
};

template <>
struct TorchForm<SparseCooTensor> {
  static bool Holds(const at::Tensor& tensor) { return tensor.layout() == at::kSparse; }
  static SparseCooTensor ToPhi(const at::Tensor& tensor);
  static at::Tensor ToTorch(const SparseCooTensor& tensor);
  static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options);
};

template <>
struct TorchForm<SparseCsrTensor> {
  static bool Holds(const at::Tensor& tensor) { return tensor.layout() == at::kSparseCsr; }
  static SparseCsrTensor ToPhi(const at::Tensor& tensor);
  static at::Tensor ToTorch(const SparseCsrTensor& tensor);
  static at::Tensor Zeros(const DenseTensorMeta& meta, const at::TensorOptions& options);
};

// Whether an argument's tensors are of the class T; absent ones are of any.
template <typename T>
bool Are(const at::Tensor& tensor) {
  return !tensor.defined() || TorchForm<T>::Holds(tensor);
}
template <typename T>
bool Are(const std::optional<at::Tensor>& tensor) {
  return !tensor || Are<T>(*tensor);
}
template <typename T>
bool Are(at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) {
    if (!Are<T>(tensor)) return false;
  }
  return true;
}
template <typename T>
bool Are(const std::optional<std::vector<at::Tensor>>& tensors) {
  return !tensors || Are<T>(at::TensorList(*tensors));
}

// What ThrowKinds says of an argument.
std::string KindsOf(const at::Tensor& tensor);
std::string KindsOf(const std::optional<at::Tensor>& tensor);
std::string KindsOf(at::TensorList tensors);
std::string KindsOf(const std::optional<std::vector<at::Tensor>>& tensors);
// No kernel of `op` takes tensors of these kinds; `known` are those that there are.
[[noreturn]] void ThrowKinds(const char* op, const char* known, std::initializer_list<std::string> given);

// The elements of `tensor` where `x`, a sparse tensor of its layout, has some, and zeros where it has none itself: what
// a function of the elements of x takes beside them. Another shape is left to the checks of the call.
at::Tensor WithPatternOf(const at::Tensor& x, const at::Tensor& tensor);

namespace detail {
template <typename T>
T Lent(const at::Tensor& tensor) {
  // a kernel gets each row and each element once, since those that occur twice add up
  if constexpr (std::is_same_v<T, SelectedRows> || std::is_same_v<T, SparseCooTensor>)
    return TorchForm<T>::ToPhi(tensor.coalesce());
  return TorchForm<T>::ToPhi(tensor);
}
}  // namespace detail

// Each argument as an input of a call, as Lend for dense tensors.
template <typename T>
InputOf<T> LendAs(const at::Tensor& tensor) {
  return InputOf<T>(detail::Lent<T>(tensor));
}
template <typename T>
OptionalInputOf<T> LendAs(const std::optional<at::Tensor>& tensor) {
  return tensor && tensor->defined() ? OptionalInputOf<T>(detail::Lent<T>(*tensor)) : OptionalInputOf<T>();
}
template <typename T>
ListOf<T, InputOf<T>> LendAs(at::TensorList tensors) {
  std::vector<InputOf<T>> inputs;
  inputs.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) inputs.push_back(LendAs<T>(tensor));
  return ListOf<T, InputOf<T>>(std::move(inputs));
}
template <typename T>
OptionalListOf<T, InputOf<T>> LendAs(const std::optional<std::vector<at::Tensor>>& tensors) {
  OptionalListOf<T, InputOf<T>> inputs;
  if (tensors) inputs.list().emplace(LendAs<T>(at::TensorList(*tensors)));
  return inputs;
}

// Makes `target` what the result is.
void CopyToTarget(const at::Tensor& result, const char* argument, bool may_resize, const at::Tensor& target);

// An output of a call, as OutTensor for dense ones: torch's tensor is made of what the kernel made.
template <typename T>
class OutOf final : public T {
 public:
  using Tensor = T;
  OutOf() { this->mutable_meta()->dtype = DataType::UNDEFINED; }
  // The result is copied to `target` (an in-place or out= call).
  explicit OutOf(at::Tensor target) : OutOf() { target_ = std::move(target); }
  void Check(const char* /*argument*/, bool /*may_resize*/) const {}  // CopyToTarget does, when there is a result
  void Bind(const char* argument, bool may_resize) {
    argument_ = argument;
    may_resize_ = may_resize;
  }

  at::Tensor Release(const Place& place) {
    if (IsTraced()) {  // no kernel ran
      if (target_.defined()) return target_;
      const DenseTensorMeta& meta = *this->mutable_meta();
      return TorchForm<T>::Zeros(meta, at::TensorOptions().dtype(ToTorch(meta.dtype)).device(ToTorch(place)));
    }
    PADDLE_ENFORCE(this->initialized(), errors::Fatal("the kernel did not make one of its outputs"));
    const at::Tensor result = TorchForm<T>::ToTorch(*this).to(ToTorch(place));
    if (!target_.defined()) return result;
    CopyToTarget(result, argument_, may_resize_, target_);
    return target_;
  }

 private:
  at::Tensor target_;
  const char* argument_ = "";
  bool may_resize_ = false;
};

}  // namespace phi::torch_bridge
