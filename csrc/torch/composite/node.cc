// SPDX-License-Identifier: Apache-2.0
#include "torch/composite/node.h"

#include "torch/autograd/compiled.h"
#include "torch/autograd/grads.h"

namespace phi::torch_bridge {

using at::IValue;
namespace dynamo = torch::dynamo::autograd;

CompositeBackward::CompositeBackward(const char* op,
                                     const char* name,
                                     torch::autograd::edge_list&& edges,
                                     torch::jit::Stack arguments)
    : TraceableFunction(std::move(edges)), op_(op), name_(name) {
  arguments_.reserve(arguments.size());
  for (IValue& argument : arguments) {
    if (argument.isTensor()) {
      arguments_.emplace_back(SavedTensor(argument.toTensor()));
    } else if (argument.isTensorList()) {
      arguments_.emplace_back(SavedTensors(at::TensorList(argument.toTensorVector())));
    } else {
      arguments_.emplace_back(std::move(argument));
    }
  }
}

// Calls f(CompiledField<T>, member) for each tensor and list of tensors.
template <class F>
void CompositeBackward::Visit(const F& f) {
  for (Argument& argument : arguments_) {
    if (auto* tensor = std::get_if<SavedTensor>(&argument)) f(CompiledField<SavedTensor>(), *tensor);
    if (auto* tensors = std::get_if<SavedTensors>(&argument)) f(CompiledField<SavedTensors>(), *tensors);
  }
}

std::vector<bool> CompositeBackward::Needed() {
  std::vector<bool> needed;
  for (size_t i = 0; i < num_outputs(); ++i) needed.push_back(task_should_compute_output(i));
  return needed;
}

torch::jit::Stack CompositeBackward::Unpack() {
  const NodePtr<torch::autograd::Node> self = SelfOf(*this);
  torch::jit::Stack stack;
  for (Argument& argument : arguments_) {
    if (auto* tensor = std::get_if<SavedTensor>(&argument)) {
      stack.emplace_back(CompiledField<SavedTensor>::Unpack(*tensor, self));
    } else if (auto* tensors = std::get_if<SavedTensors>(&argument)) {
      stack.emplace_back(*CompiledField<SavedTensors>::Unpack(*tensors, self));
    } else {
      stack.push_back(std::get<IValue>(argument));
    }
  }
  return stack;
}

variable_list CompositeBackward::Differentiate(const char* op,
                                               const variable_list& grads,
                                               const std::vector<bool>& needed,
                                               const torch::jit::Stack& arguments) {
  variable_list result(needed.size());
  if (!AnyDefined(grads)) return result;
  c10::List<std::optional<at::Tensor>> incoming;
  for (const at::Tensor& grad : grads) incoming.push_back(IfDefined(grad));
  c10::List<bool> wanted;
  for (const bool need : needed) wanted.push_back(need);
  torch::jit::Stack stack{IValue(std::move(incoming)), IValue(std::move(wanted))};
  stack.insert(stack.end(), arguments.begin(), arguments.end());
  FindComposite(op, "vjp").callBoxed(stack);
  const std::vector<at::Tensor> computed = stack.front().toTensorVector();
  size_t next = 0;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) result[i] = computed.at(next++);
  }
  return result;
}

void CompositeBackward::release_variables() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Visit([](auto field, auto& member) { field.Release(member); });
}

variable_list CompositeBackward::apply(variable_list&& grads) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return Differentiate(op_, grads, Needed(), Unpack());
}

void CompositeBackward::compiled_args(CompiledNodeArgs& args) const {
  args.collect(std::string(op_));
  const_cast<CompositeBackward*>(this)->Visit([&](auto field, auto& member) { field.Collect(args, member); });
  for (const Argument& argument : arguments_) {
    if (const auto* value = std::get_if<IValue>(&argument)) args.collect(*value, /*nested=*/true);
  }
}

variable_list CompositeBackward::apply_with_saved(const variable_list& grads, SwapSavedVariables& swap) {
  Visit([&](auto field, auto& member) { field.Before(swap, member); });
  const std::vector<bool> needed = Needed();
  const torch::jit::Stack arguments = Unpack();
  dynamo::PackedArgs packed;
  packed.pack(std::vector<int64_t>(needed.begin(), needed.end()));
  dynamo::ivalue_list ivalues = std::move(packed).vec();
  ivalues.insert(ivalues.end(), arguments.begin(), arguments.end());
  const auto& compiler = dynamo::getPyCompilerInterface();
  if (BindsFirst(name())) {
    const auto call = [op = op_](const variable_list& incoming, const dynamo::ivalue_list& values) {
      const auto ints = dynamo::PackedArgs(values).unpack<std::vector<int64_t>>();
      return Differentiate(op, incoming, {ints.begin(), ints.end()}, {values.begin() + 1, values.end()});
    };
    std::vector<at::TypePtr> types{dynamo::IValuePacker<std::vector<int64_t>>::packed_type()};
    const c10::FunctionSchema schema = FindComposite(op_, "").schema();
    for (const c10::Argument& argument : schema.arguments()) types.push_back(argument.type());
    compiler->bind_function(swap.get_py_compiler(), name(), call, types);
  }
  const auto metadata = dynamo::IValuePacker<std::vector<std::optional<torch::autograd::InputMetadata>>>::pack(
      dynamo::get_input_metadata(next_edges()));
  variable_list result =
      compiler->call_function(swap.get_py_compiler(), "apply_functional", name(), grads, ivalues, metadata);
  Visit([&](auto field, auto& member) { field.After(swap, member); });
  return result;
}

void TakeTangents(const at::Tensor& result, const at::Tensor& dual) {
  if (result.defined() && dual.defined() && HasTangent(dual)) SetTangent(result, dual._fw_grad(/*level=*/0));
}

void TakeTangents(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& duals) {
  for (size_t i = 0; i < results.size(); ++i) TakeTangents(results[i], duals.at(i));
}

}  // namespace phi::torch_bridge
