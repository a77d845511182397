// SPDX-License-Identifier: Apache-2.0
// The autograd node of an op without a backward op: its kernel has run, its composite is differentiated.
#pragma once

#include <ATen/core/boxing/impl/boxing.h>

#include <string>
#include <variant>
#include <vector>

#include "torch/autograd/saved.h"
#include "torch/composite/composite.h"

namespace phi::torch_bridge {

// Calls phi_composite::<op>.vjp with the gradients of the outputs and the arguments of the op.
class CompositeBackward final : public torch::autograd::TraceableFunction {
 public:
  // `op`: "phi::swish"; `name`: of the node; `arguments`: all of the op's, boxed. The two texts must be literals.
  CompositeBackward(const char* op, const char* name, torch::autograd::edge_list&& edges, torch::jit::Stack arguments);

  std::string name() const override { return name_; }
  void release_variables() override;
  variable_list apply(variable_list&& grads) override;
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs& args) const override;
  variable_list apply_with_saved(const variable_list& grads,
                                 torch::dynamo::autograd::SwapSavedVariables& swap) override;

 private:
  using Argument = std::variant<at::IValue, SavedTensor, SavedTensors>;

  template <class F>
  void Visit(const F& f);
  std::vector<bool> Needed();
  torch::jit::Stack Unpack();
  static variable_list Differentiate(const char* op,
                                     const variable_list& grads,
                                     const std::vector<bool>& needed,
                                     const torch::jit::Stack& arguments);

  const char* op_;
  const char* name_;
  std::vector<Argument> arguments_;
};

// An argument that the op overwrites, as it was.
inline at::Tensor Copy(const at::Tensor& tensor) { return tensor.clone(); }
inline std::optional<at::Tensor> Copy(const std::optional<at::Tensor>& tensor) {
  return tensor ? std::optional(tensor->clone()) : std::nullopt;
}

template <class... T>
NodePtr<CompositeBackward> NewCompositeNode(const char* op,
                                            const char* name,
                                            torch::autograd::edge_list edges,
                                            T&&... arguments) {
  return NewNode<CompositeBackward>(op, name, std::move(edges), c10::impl::boxArgs(std::forward<T>(arguments)...));
}

// The tangents that the composite gives, to what the kernel has computed.
void TakeTangents(const at::Tensor& result, const at::Tensor& dual);
void TakeTangents(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& duals);
template <class... T>
void TakeTangents(const std::tuple<T...>& results, const std::tuple<T...>& duals) {
  const auto take = [&]<size_t... I>(std::index_sequence<I...>) {
    (TakeTangents(std::get<I>(results), std::get<I>(duals)), ...);
  };
  take(std::index_sequence_for<T...>());
}

}  // namespace phi::torch_bridge
