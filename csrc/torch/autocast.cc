// SPDX-License-Identifier: Apache-2.0
#include <ATen/autocast_mode.h>

#include <optional>

#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;
using torch::jit::Stack;

class AutocastKernel final : public c10::OperatorKernel {
 public:
  AutocastKernel(AutocastPolicy policy, c10::DeviceType device) : policy_(policy), device_(device) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
    const c10::impl::ExcludeDispatchKeyGuard guard(c10::autocast_dispatch_keyset);
    const auto arguments = torch::jit::last(*stack, op.schema().arguments().size());
    if (const auto dtype = Target(arguments)) {
      const size_t begin = stack->size() - arguments.size();
      for (size_t i = begin; i < stack->size(); ++i) (*stack)[i] = Cast((*stack)[i], *dtype);
    }
    op.callBoxed(stack);
  }

 private:
  // The type to cast to; none when no input decides it.
  std::optional<at::ScalarType> Target(c10::ArrayRef<IValue> arguments) const {
    if (policy_ == AutocastPolicy::kLower) return at::autocast::get_autocast_dtype(device_);
    if (policy_ == AutocastPolicy::kFloat32) return at::kFloat;
    std::optional<at::ScalarType> widest;
    const auto widen = [&](const at::Tensor& tensor) {
      if (!at::autocast::is_eligible(tensor, device_)) return;
      widest = widest ? c10::promoteTypes(*widest, tensor.scalar_type()) : tensor.scalar_type();
    };
    for (const IValue& argument : arguments) {
      if (argument.isTensor()) widen(argument.toTensor());
      if (argument.isTensorList()) {
        for (const at::Tensor& tensor : argument.toTensorVector()) widen(tensor);
      }
    }
    return widest;
  }

  IValue Cast(const IValue& value, at::ScalarType dtype) const {
    if (value.isTensor()) return at::autocast::cached_cast(dtype, value.toTensor(), device_);
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> cast;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      cast.push_back(at::autocast::cached_cast(dtype, tensor, device_));
    }
    return cast;
  }

  AutocastPolicy policy_;
  c10::DeviceType device_;
};

}  // namespace

torch::CppFunction Autocast(AutocastPolicy policy, c10::DeviceType device) {
  return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<AutocastKernel>(policy, device));
}

}  // namespace phi::torch_bridge
