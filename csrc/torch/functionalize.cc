// SPDX-License-Identifier: Apache-2.0
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include <algorithm>
#include <utility>

#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

namespace functionalization = at::functionalization::impl;
using c10::IValue;
using torch::jit::Stack;

bool IsFunctional(const IValue& value) {
  if (value.isTensor()) return functionalization::isFunctionalTensor(value.toTensor());
  return value.isTensorList() && functionalization::isFunctionalTensor(value.toTensorVector());
}

// Those of an argument; none for an absent one.
std::vector<at::Tensor> Tensors(const IValue& value) {
  if (value.isTensorList()) return value.toTensorVector();
  return value.isTensor() ? std::vector{value.toTensor()} : std::vector<at::Tensor>();
}

IValue Unwrap(const IValue& value) {
  const auto unwrap = [](const at::Tensor& tensor) {
    if (!functionalization::isFunctionalTensor(tensor)) return tensor;
    functionalization::sync(tensor);
    return functionalization::from_functional_tensor(tensor);
  };
  if (value.isTensor()) return unwrap(value.toTensor());
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> tensors;
  for (const at::Tensor& tensor : value.toTensorVector()) tensors.push_back(unwrap(tensor));
  return tensors;
}

IValue Wrap(const IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    return tensor.defined() ? functionalization::to_functional_tensor(tensor) : tensor;
  }
  return value.isTensorList() ? IValue(functionalization::to_functional_tensor(value.toTensorVector())) : value;
}

class FunctionalizedKernel final : public c10::OperatorKernel {
 public:
  FunctionalizedKernel(std::string functional, size_t inputs, std::vector<Mutation> mutations)
      : functional_(std::move(functional)), inputs_(inputs), mutations_(std::move(mutations)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
    const std::vector<IValue> arguments = torch::jit::pop(*stack, op.schema().arguments().size());
    if (!CheckMutated(op, arguments)) {
      const at::AutoDispatchSkipFunctionalize guard;
      stack->insert(stack->end(), arguments.begin(), arguments.end());
      op.callBoxed(stack);
      return;
    }
    const std::vector<IValue> outputs = CallFunctional(arguments);
    for (const Mutation& mutation : mutations_) {
      const std::vector<at::Tensor> tensors = Tensors(arguments[mutation.argument]);
      const std::vector<at::Tensor> values = Tensors(outputs[mutation.output]);
      for (size_t i = 0; i < tensors.size(); ++i) Update(op, mutation, tensors[i], values.at(i));
    }
    PushResults(op, arguments, outputs, stack);
  }

 private:
  // Are the overwritten arguments functional tensors? Some but not all of the arguments that matter is an error.
  bool CheckMutated(const c10::OperatorHandle& op, const std::vector<IValue>& arguments) const {
    const bool any = std::any_of(arguments.begin(), arguments.end(), IsFunctional);
    if (!any) return false;
    for (const Mutation& mutation : mutations_) {
      const IValue& argument = arguments[mutation.argument];
      TORCH_CHECK(Tensors(argument).empty() || IsFunctional(argument),
                  op.schema().name(),
                  ": argument '",
                  op.schema().arguments()[mutation.argument].name(),
                  "' is overwritten but is no functional tensor, while another argument is. Pass it as an input of the "
                  "functionalized function, or use the functional form.");
    }
    return true;
  }

  std::vector<IValue> CallFunctional(const std::vector<IValue>& arguments) const {
    const auto functional = c10::Dispatcher::singleton().findSchemaOrThrow(functional_.c_str(), "");
    Stack stack;
    for (size_t i = 0; i < inputs_; ++i) stack.push_back(Unwrap(arguments[i]));
    const at::AutoDispatchSkipFunctionalize guard;
    functional.callBoxed(&stack);
    return stack;
  }

  static void Update(const c10::OperatorHandle& op,
                     const Mutation& mutation,
                     const at::Tensor& tensor,
                     at::Tensor value) {
    const auto& name = op.schema().arguments()[mutation.argument].name();
    TORCH_CHECK(value.sym_sizes() == tensor.sym_sizes(),
                op.schema().name(),
                ": argument '",
                name,
                "' has shape ",
                tensor.sym_sizes(),
                ", but the result to write has shape ",
                value.sym_sizes(),
                ".");
    if (value.scalar_type() != tensor.scalar_type()) {
      TORCH_CHECK(at::canCast(value.scalar_type(), tensor.scalar_type()),
                  op.schema().name(),
                  ": result type ",
                  value.scalar_type(),
                  " can't be cast to ",
                  tensor.scalar_type(),
                  ", the dtype of argument '",
                  name,
                  "'.");
      const at::AutoDispatchSkipFunctionalize guard;
      value = value.to(tensor.scalar_type());
    }
    functionalization::propagate_xla_data(tensor, value);
    functionalization::replace_(tensor, value);
    functionalization::commit_update(tensor);
    functionalization::sync(tensor);
  }

  // Aliased returns are the arguments; the others are the outputs that overwrite nothing.
  void PushResults(const c10::OperatorHandle& op,
                   const std::vector<IValue>& arguments,
                   const std::vector<IValue>& outputs,
                   Stack* stack) const {
    auto aliased = mutations_.begin();
    size_t fresh = 0;
    const auto overwrites = [&](size_t output) {
      return std::any_of(mutations_.begin(), mutations_.end(), [&](const Mutation& m) { return m.output == output; });
    };
    for (const c10::Argument& result : op.schema().returns()) {
      if (result.alias_info() != nullptr) {
        stack->push_back(arguments[(aliased++)->argument]);
      } else {
        while (overwrites(fresh)) ++fresh;
        stack->push_back(Wrap(outputs[fresh++]));
      }
    }
  }

  std::string functional_;
  size_t inputs_;
  std::vector<Mutation> mutations_;
};

}  // namespace

torch::CppFunction Functionalize(std::string functional, size_t inputs, std::vector<Mutation> mutations) {
  return torch::CppFunction::makeFromBoxedFunctor(
      std::make_unique<FunctionalizedKernel>(std::move(functional), inputs, std::move(mutations)));
}

}  // namespace phi::torch_bridge
