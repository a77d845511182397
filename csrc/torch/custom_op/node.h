// SPDX-License-Identifier: Apache-2.0
// The autograd node of a custom operator.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "torch/autograd/compiled.h"
#include "torch/custom_op/custom_op.h"

namespace phi::torch_bridge {

// What a gradient op gets of the call that it differentiates.
struct SavedArgument {
  std::variant<SavedTensor, SavedTensors> saved;

  SavedArgument(const CustomTensor& declared, const at::IValue& value, bool is_output, bool is_inplace_on_view) {
    if (declared.is_list) {
      saved.emplace<SavedTensors>(CustomTensorsOf(value), is_output);
    } else {
      saved.emplace<SavedTensor>(value.isTensor() ? value.toTensor() : at::Tensor(), is_output, is_inplace_on_view);
    }
  }
  // Calls f(CompiledField<T>, member).
  template <class F>
  auto Visit(const F& f) {
    return std::visit([&](auto& member) { return f(CompiledField<std::decay_t<decltype(member)>>(), member); }, saved);
  }
};

// Calls the gradient operator. What it needs stands in the order of the gradient operator's declaration.
struct CustomBackward final : torch::autograd::TraceableFunction {
  CustomBackward(const CustomOp& op, torch::autograd::edge_list&& edges)
      : TraceableFunction(std::move(edges)), op(op) {}

  std::string name() const override;
  void release_variables() override;
  variable_list apply(variable_list&& grads) override;
  void compiled_args(CompiledNodeArgs& args) const override;
  variable_list apply_with_saved(const variable_list& grads, SwapSavedVariables& swap) override;

  const CustomOp& op;
  std::vector<int64_t> edge_counts;    // of each input
  std::vector<SavedArgument> saved;    // of each input of the gradient operator that is no gradient
  std::vector<SavedMetas> outputs;     // of each output
  std::vector<at::IValue> attributes;  // of the gradient operator

 private:
  // All of it, unpacked.
  struct Values;
  Values Unpack();
  // The gradients of all inputs: a pure function of the values, which is what a compiled graph calls.
  static variable_list Differentiate(const CustomOp& op, const variable_list& grads, const Values& values);
  // For a compiled graph: the values but for the attributes, which follow; their types; and back.
  static torch::dynamo::autograd::ivalue_list Pack(const Values& values);
  std::vector<at::TypePtr> PackedTypes() const;
  static Values FromPacked(const CustomOp& op, const torch::dynamo::autograd::ivalue_list& packed);
};

}  // namespace phi::torch_bridge
