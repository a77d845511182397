// SPDX-License-Identifier: Apache-2.0
// What the generated Autograd kernels share: questions about tensors, graph edges, history and tangents.
// Every function takes Tensor, optional Tensor, Tensor list and optional Tensor list alike, boxed ones too.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/variable.h>

#include <optional>
#include <tuple>
#include <vector>

#include "torch/autograd/compat.h"

namespace phi::torch_bridge {

using OptionalTensors = std::optional<std::vector<at::Tensor>>;
using torch::autograd::variable_list;

// Calls `f` with each defined tensor of an argument or a result.
template <class F>
void ForEachTensor(const F& f, const at::Tensor& tensor) {
  if (tensor.defined()) f(tensor);
}
template <class F>
void ForEachTensor(const F& f, at::TensorList tensors) {
  for (const at::Tensor& tensor : tensors) ForEachTensor(f, tensor);
}
template <class F>
void ForEachTensor(const F& f, const std::vector<at::Tensor>& tensors) {
  ForEachTensor(f, at::TensorList(tensors));
}
template <class F, class T>
void ForEachTensor(const F& f, const std::optional<T>& argument) {
  if (argument.has_value()) ForEachTensor(f, *argument);
}
template <class F, class... T>
void ForEachTensor(const F& f, const std::tuple<T...>& results) {
  std::apply([&](const auto&... result) { (ForEachTensor(f, result), ...); }, results);
}

template <class F>
void ForEachTensor(const F& f, const c10::IValue& argument) {
  if (argument.isTensor()) ForEachTensor(f, argument.toTensor());
  if (argument.isTensorList()) ForEachTensor(f, argument.toTensorVector());
}

// Can any argument require grad or have a tangent? Without autograd metadata it cannot.
template <class... T>
bool MayDifferentiate(const T&... arguments) {
  bool found = false;
  const auto ask = [&](const at::Tensor& tensor) {
    found = found || tensor.unsafeGetTensorImpl()->autograd_meta() != nullptr;
  };
  (ForEachTensor(ask, arguments), ...);
  return found;
}

template <class T>
bool AnyRequiresGrad(const T& argument) {
  bool found = false;
  ForEachTensor([&](const at::Tensor& tensor) { found = found || tensor.requires_grad(); }, argument);
  return found;
}

// Does the graph have to record an op with these arguments?
template <class... T>
bool RequiresGrad(const T&... arguments) {
  return at::GradMode::is_enabled() && (AnyRequiresGrad(arguments) || ...);
}

// Has any of them a forward-mode tangent? A view may have that of its base.
template <class... T>
bool HasTangent(const T&... arguments) {
  bool found = false;
  const auto ask = [&](const at::Tensor& tensor) {
    const auto* meta = torch::autograd::impl::get_autograd_meta(tensor);
    if (meta == nullptr || !(meta->fw_grad_ || meta->is_view_)) return;
    found = found || tensor._fw_grad(/*level=*/0).defined();
  };
  (ForEachTensor(ask, arguments), ...);
  return found;
}

// Is `dtype` one that gradients can have?
inline bool IsDifferentiable(at::ScalarType dtype) { return at::isFloatingType(dtype) || at::isComplexType(dtype); }

// The number of graph edges that an argument takes; an absent one keeps its place.
inline int64_t EdgeCount(const at::Tensor&) { return 1; }
inline int64_t EdgeCount(const std::optional<at::Tensor>&) { return 1; }
inline int64_t EdgeCount(at::TensorList tensors) { return static_cast<int64_t>(tensors.size()); }
inline int64_t EdgeCount(const OptionalTensors& tensors) {
  return tensors.has_value() ? EdgeCount(at::TensorList(*tensors)) : 0;
}

void AddEdges(torch::autograd::edge_list* edges, const at::Tensor& tensor);
void AddEdges(torch::autograd::edge_list* edges, const std::optional<at::Tensor>& tensor);
void AddEdges(torch::autograd::edge_list* edges, at::TensorList tensors);
void AddEdges(torch::autograd::edge_list* edges, const OptionalTensors& tensors);

template <class... T>
torch::autograd::edge_list CollectEdges(const T&... arguments) {
  torch::autograd::edge_list edges;
  edges.reserve((EdgeCount(arguments) + ...));
  (AddEdges(&edges, arguments), ...);
  return edges;
}

// Makes `node` the origin of an output. An output without gradient keeps its place among the node's inputs.
void SetHistory(const NodePtr<torch::autograd::Node>& node, const at::Tensor& output);
void SetHistory(const NodePtr<torch::autograd::Node>& node, at::TensorList outputs);
// The same for a tensor that was overwritten, and may be a view.
void RebaseHistory(const NodePtr<torch::autograd::Node>& node, const at::Tensor& overwritten);
inline void RebaseHistory(const NodePtr<torch::autograd::Node>& node, const std::optional<at::Tensor>& overwritten) {
  RebaseHistory(node, overwritten.value_or(at::Tensor()));
}
template <class T>
void RebaseHistory(const NodePtr<torch::autograd::Node>& node, const T& overwritten) {
  ForEachTensor([&](const at::Tensor& tensor) { RebaseHistory(node, tensor); }, overwritten);
}

// Counts an overwriting, so that autograd notices when a saved tensor has changed.
void BumpVersion(const at::Tensor& tensor);
template <class T>
void BumpVersion(const T& tensors) {
  ForEachTensor([](const at::Tensor& tensor) { BumpVersion(tensor); }, tensors);
}

// Raises NotImplementedError for a view: torch's node for an overwritten view (CopySlices) carries one output, and the
// op has several.
void CheckNoView(const char* op, const at::Tensor& overwritten);
template <class T>
void CheckNoView(const char* op, const T& overwritten) {
  ForEachTensor([&](const at::Tensor& tensor) { CheckNoView(op, tensor); }, overwritten);
}

// Raises torch's error when a leaf, or a view that forbids it, would be overwritten while the graph records.
void CheckInplace(const at::Tensor& tensor, bool requires_grad);
template <class T>
void CheckInplace(const T& tensors, bool requires_grad) {
  ForEachTensor([&](const at::Tensor& tensor) { CheckInplace(tensor, requires_grad); }, tensors);
}

// Raises RuntimeError when an argument that has no gradient formula requires grad or has a tangent.
void RaiseNotDifferentiable(const char* op, const char* argument);
template <class T>
void CheckNotDifferentiable(const T& tensor, const char* op, const char* argument) {
  if (RequiresGrad(tensor) || HasTangent(tensor)) RaiseNotDifferentiable(op, argument);
}

// Raises RuntimeError when arguments of an out= overload take part in automatic differentiation.
void RaiseOutNotDifferentiable(const char* op);
template <class... T>
void CheckOut(const char* op, const T&... arguments) {
  if (RequiresGrad(arguments...) || HasTangent(arguments...)) RaiseOutNotDifferentiable(op);
}

// ---- ops without derivative: nothing silent ----

// Raises NotImplementedError: no forward-mode rule, for the reason that is given.
[[noreturn]] void RaiseNoForwardMode(
    const char* op,
    const char* why = "its entry has neither `jvp` nor a `composite` that can be differentiated. Add one of them");

// The same, when an output could have a tangent.
template <class Result, class... T>
void CheckNoTangent(const char* op, const Result& result, const T&... arguments) {
  if (!HasTangent(arguments...)) return;
  const auto check = [&](const at::Tensor& output) {
    if (IsDifferentiable(output.scalar_type())) RaiseNoForwardMode(op);
  };
  ForEachTensor(check, result);
}

// A node that raises NotImplementedError, naming `op` and the reason, when it is differentiated through.
NodePtr<torch::autograd::Node> NotImplementedNode(
    const char* op,
    torch::autograd::edge_list edges,
    const char* why = "its entry has neither `backward` nor a `composite` that can be differentiated. Add one of them");

template <class Result>
void SetNotImplemented(const NodePtr<torch::autograd::Node>& node, const Result& result) {
  ForEachTensor([&](const at::Tensor& output) { SetHistory(node, output); }, result);
}

// ---- forward mode ----

// The argument without its tangent.
at::Tensor Primal(const at::Tensor& tensor);
std::optional<at::Tensor> Primal(const std::optional<at::Tensor>& tensor);
std::vector<at::Tensor> Primal(at::TensorList tensors);
OptionalTensors Primal(const OptionalTensors& tensors);

// The tangent of an argument; zero if it has none; the argument itself where its dtype has no tangents.
at::Tensor TangentOrZero(const at::Tensor& tensor);
std::optional<at::Tensor> TangentOrZero(const std::optional<at::Tensor>& tensor);
std::vector<at::Tensor> TangentOrZero(at::TensorList tensors);
OptionalTensors TangentOrZero(const OptionalTensors& tensors);

// The tangent of an elementwise op from its backward op: `term(conj(tangent))` is conj of the derivative times it.
// Tensors take the output's shape first, so that the backward op has nothing to reduce.
at::Tensor ExpandTo(const at::Tensor& tensor, const at::Tensor& output);
template <class F>
void AddElementwiseTangent(at::Tensor* sum, const at::Tensor& input, const at::Tensor& output, const F& term) {
  if (!HasTangent(input)) return;
  const at::Tensor part = term(ExpandTo(input._fw_grad(/*level=*/0), output).conj()).conj();
  *sum = sum->defined() ? sum->add(part) : part;
}

void SetTangent(const at::Tensor& output, const at::Tensor& tangent);
void SetTangent(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& tangents);
template <class... T>
void SetTangent(const std::tuple<T...>& outputs, const std::tuple<T...>& tangents) {
  const auto set = [&]<size_t... I>(std::index_sequence<I...>) {
    (SetTangent(std::get<I>(outputs), std::get<I>(tangents)), ...);
  };
  set(std::index_sequence_for<T...>());
}

}  // namespace phi::torch_bridge
