// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/utils.h"

#include <ATen/ops/_fw_primal.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>
#include <torch/csrc/dynamo/compiled_autograd.h>

namespace phi::torch_bridge {

using torch::autograd::edge_list;
using torch::autograd::Node;

void AddEdges(edge_list* edges, const at::Tensor& tensor) {
  edges->push_back(tensor.defined() ? torch::autograd::impl::gradient_edge(tensor) : torch::autograd::Edge());
}

void AddEdges(edge_list* edges, const std::optional<at::Tensor>& tensor) {
  tensor ? AddEdges(edges, *tensor) : void(edges->emplace_back());
}

void AddEdges(edge_list* edges, at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) AddEdges(edges, tensor);
}

void AddEdges(edge_list* edges, const OptionalTensors& tensors) {
  if (tensors.has_value()) AddEdges(edges, at::TensorList(*tensors));
}

void SetHistory(const NodePtr<Node>& node, const at::Tensor& output) {
  if (output.defined() && IsDifferentiable(output.scalar_type())) {
    torch::autograd::set_history(output, node);
  } else {
    node->add_input_metadata(Node::undefined_input());
  }
}

void SetHistory(const NodePtr<Node>& node, at::TensorList outputs) {
  for (const at::Tensor& output : outputs) SetHistory(node, output);
}

void RebaseHistory(const NodePtr<Node>& node, const at::Tensor& overwritten) {
  if (overwritten.defined() && IsDifferentiable(overwritten.scalar_type())) {
    const auto output_nr = node->add_input_metadata(overwritten);
    torch::autograd::impl::rebase_history(overwritten, {node, output_nr});
  } else {
    node->add_input_metadata(Node::undefined_input());
  }
}

void BumpVersion(const at::Tensor& tensor) {
  if (tensor.defined()) torch::autograd::impl::bump_version(tensor);
}

void CheckNoView(const char* op, const at::Tensor& overwritten) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      !overwritten.defined() || !overwritten.is_view(),
      op,
      ": the tensor to overwrite is a view, which an op with several differentiable outputs cannot "
      "record for autograd. Pass a clone(), or call the form that is not in place.");
}

void CheckInplace(const at::Tensor& tensor, bool requires_grad) {
  if (tensor.defined()) torch::autograd::check_inplace(tensor, requires_grad);
}

void RaiseNotDifferentiable(const char* op, const char* argument) {
  TORCH_CHECK(false,
              op,
              " is not differentiable with respect to its argument '",
              argument,
              "', which requires grad or has a tangent. Pass ",
              argument,
              ".detach().");
}

void RaiseOutNotDifferentiable(const char* op) {
  TORCH_CHECK(false,
              op,
              "(): functions with out=... arguments don't support automatic differentiation, but one of the arguments "
              "requires grad or has a tangent. Call ",
              op,
              " without out=, or under torch.no_grad().");
}

void RaiseNoForwardMode(const char* op, const char* why) {
  TORCH_CHECK_NOT_IMPLEMENTED(false,
                              "forward-mode differentiation (jvp, jacfwd, hessian) of ",
                              op,
                              " is not implemented: ",
                              why,
                              ", or use reverse mode.");
}

namespace {

struct NotImplementedBackward final : Node {
  NotImplementedBackward(const char* op, edge_list&& edges, const char* why)
      : Node(std::move(edges)), op(op), why(why) {}

  std::string name() const override { return "NotImplemented(" + op + ")"; }

  variable_list apply(variable_list&&) override { raise(); }
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs& args) const override {
    args.collect(op);
    args.collect(why);
  }
  variable_list apply_with_saved(const variable_list&, torch::dynamo::autograd::SwapSavedVariables&) override {
    raise();
  }

  [[noreturn]] void raise() const {
    TORCH_CHECK_NOT_IMPLEMENTED(false,
                                "the derivative of ",
                                op,
                                " is not implemented: ",
                                why,
                                ", or detach its inputs if no gradient is meant to pass.");
  }

  std::string op;
  std::string why;
};

}  // namespace

NodePtr<Node> NotImplementedNode(const char* op, edge_list edges, const char* why) {
  return NewNode<NotImplementedBackward>(op, std::move(edges), why);
}

at::Tensor Primal(const at::Tensor& tensor) { return HasTangent(tensor) ? tensor._fw_primal(/*level=*/0) : tensor; }

at::Tensor TangentOrZero(const at::Tensor& tensor) {
  if (HasTangent(tensor)) return tensor._fw_grad(/*level=*/0);
  return tensor.defined() && IsDifferentiable(tensor.scalar_type()) ? at::zeros_like(tensor) : tensor;
}

namespace {

template <at::Tensor (*F)(const at::Tensor&)>
std::vector<at::Tensor> Map(at::TensorList tensors) {
  std::vector<at::Tensor> mapped;
  mapped.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) mapped.push_back(F(tensor));
  return mapped;
}

}  // namespace

std::optional<at::Tensor> Primal(const std::optional<at::Tensor>& tensor) {
  return tensor ? std::optional(Primal(*tensor)) : std::nullopt;
}
std::vector<at::Tensor> Primal(at::TensorList tensors) { return Map<Primal>(tensors); }
OptionalTensors Primal(const OptionalTensors& tensors) {
  return tensors ? OptionalTensors(Map<Primal>(*tensors)) : std::nullopt;
}

std::optional<at::Tensor> TangentOrZero(const std::optional<at::Tensor>& tensor) {
  return tensor ? std::optional(TangentOrZero(*tensor)) : std::nullopt;
}
std::vector<at::Tensor> TangentOrZero(at::TensorList tensors) { return Map<TangentOrZero>(tensors); }
OptionalTensors TangentOrZero(const OptionalTensors& tensors) {
  return tensors ? OptionalTensors(Map<TangentOrZero>(*tensors)) : std::nullopt;
}

at::Tensor ExpandTo(const at::Tensor& tensor, const at::Tensor& output) {
  return tensor.defined() ? tensor.expand_symint(output.sym_sizes()) : tensor;
}

void SetTangent(const at::Tensor& output, const at::Tensor& tangent) {
  if (output.defined() && tangent.defined() && IsDifferentiable(output.scalar_type())) {
    output._set_fw_grad(tangent, /*level=*/0, /*is_inplace_op=*/false);
  }
}

void SetTangent(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& tangents) {
  for (size_t i = 0; i < outputs.size(); ++i) SetTangent(outputs[i], tangents[i]);
}

}  // namespace phi::torch_bridge
