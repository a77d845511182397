// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/LegacyTypeDispatch.h>

#include <optional>

#include "torch/custom_op/node.h"

// The Autograd and ADInplaceOrView kernels of custom operators.
namespace phi::torch_bridge {

namespace {

using at::IValue;
using torch::jit::Stack;
using Source = CustomDerivative::Source;
using From = CustomDerivative::From;

class AutogradKernel final : public c10::OperatorKernel {
 public:
  AutogradKernel(const CustomOp& op, bool inplace_form) : op_(op), inplace_form_(inplace_form) {}

  void operator()(const c10::OperatorHandle& handle, c10::DispatchKeySet keys, Stack* stack) {
    const auto on_stack = torch::jit::last(*stack, op_.argument_count());
    const at::ArrayRef<IValue> tensors(on_stack.data(), op_.inputs().size());
    bool may_differentiate = false, requires_grad = false, has_tangent = false;
    for (const IValue& argument : tensors) {
      for (const at::Tensor& tensor : CustomTensorsOf(argument)) {
        may_differentiate |= MayDifferentiate(tensor);
        requires_grad |= RequiresGrad(tensor);
        has_tangent |= HasTangent(tensor);
      }
    }
    if (!may_differentiate || (!requires_grad && !has_tangent)) return Redispatch(handle, keys, stack);
    const std::string name = op_.qualified_name();
    if (has_tangent) {
      RaiseNoForwardMode(name.c_str(), "Paddle's custom operators have no forward-mode rule. Write it as a composite");
    }
    Record(handle, keys, stack, std::vector<IValue>(on_stack.begin(), on_stack.end()));
  }

 private:
  void Redispatch(const c10::OperatorHandle& handle, c10::DispatchKeySet keys, Stack* stack) const {
    if (inplace_form_) {
      const at::AutoDispatchBelowAutograd guard;
      handle.redispatchBoxed(keys & c10::after_autograd_keyset, stack);
    } else {
      const at::AutoDispatchBelowADInplaceOrView guard;
      handle.redispatchBoxed(keys & c10::after_ADInplaceOrView_keyset, stack);
    }
  }

  // Runs the op and makes a node the origin of its outputs.
  void Record(const c10::OperatorHandle& handle,
              c10::DispatchKeySet keys,
              Stack* stack,
              const std::vector<IValue>& arguments) const {
    CheckOverwritten(arguments);
    torch::autograd::edge_list edges;
    std::vector<int64_t> edge_counts;
    for (size_t i = 0; i < op_.inputs().size(); ++i) {
      const std::vector<at::Tensor> tensors = CustomTensorsOf(arguments[i]);
      AddEdges(&edges, at::TensorList(tensors));
      // an absent optional tensor keeps its place
      if (tensors.empty() && !op_.inputs()[i].is_list) edges.emplace_back();
      edge_counts.push_back(op_.inputs()[i].is_list ? static_cast<int64_t>(tensors.size()) : 1);
    }
    if (op_.derivative() == nullptr) return RecordNothing(handle, keys, stack, arguments, std::move(edges));
    const auto node = NewNode<CustomBackward>(op_, std::move(edges));
    node->edge_counts = std::move(edge_counts);
    for (const size_t attribute : op_.derivative()->attributes) {
      node->attributes.push_back(arguments[op_.inputs().size() + attribute]);
    }
    // an input is saved before the op runs, so that overwriting it later is noticed
    std::vector<std::optional<SavedArgument>> saved;
    for (const Source& source : op_.derivative()->inputs) {
      saved.emplace_back();
      if (source.from == From::kInput) {
        saved.back().emplace(op_.inputs()[source.index], arguments[source.index], false, false);
      }
    }
    Redispatch(handle, keys, stack);
    const std::vector<IValue> outputs = Outputs(*stack, arguments);
    SetHistories(node, outputs);
    for (size_t i = 0; i < saved.size(); ++i) {
      const Source& source = op_.derivative()->inputs[i];
      if (source.from == From::kGrad) continue;
      if (source.from == From::kOutput) SaveOutput(&saved[i], source.index, outputs[source.index]);
      node->saved.push_back(std::move(*saved[i]));
    }
    for (const IValue& output : outputs) {
      SavedMetas metas;
      for (const at::Tensor& tensor : CustomTensorsOf(output)) metas.emplace_back(tensor);
      node->outputs.push_back(std::move(metas));
    }
    Announce(node);
  }

  void RecordNothing(const c10::OperatorHandle& handle,
                     c10::DispatchKeySet keys,
                     Stack* stack,
                     const std::vector<IValue>& arguments,
                     torch::autograd::edge_list edges) const {
    const std::string lacking = std::string("there is no ") +
                                (op_.info().order == 0 ? "PD_BUILD_GRAD_OP(" : "PD_BUILD_DOUBLE_GRAD_OP(") +
                                op_.info().name + "). Add it";
    const bool is_last = op_.info().order == 2;
    const auto node = NotImplementedNode(op_.qualified_name().c_str(),
                                         std::move(edges),
                                         is_last ? "Paddle's custom operators are differentiated twice at most. Write "
                                                   "it as a composite"
                                                 : lacking.c_str());
    Redispatch(handle, keys, stack);
    SetHistories(node, Outputs(*stack, arguments));
    Announce(node);
  }

  void CheckOverwritten(const std::vector<IValue>& arguments) const {
    if (!inplace_form_) return;
    for (size_t i = 0; i < op_.inputs().size(); ++i) {
      if (op_.inputs()[i].inplace < 0) continue;
      for (const at::Tensor& tensor : CustomTensorsOf(arguments[i])) {
        CheckInplace(tensor, /*requires_grad=*/true);
        if (op_.outputs().size() > 1 || op_.inputs()[i].is_list) CheckNoView(op_.qualified_name().c_str(), tensor);
      }
    }
  }

  // All outputs, whether the op returns them or overwrites arguments with them.
  std::vector<IValue> Outputs(const Stack& stack, const std::vector<IValue>& arguments) const {
    size_t returned = 0;
    for (const CustomTensor& output : op_.outputs()) returned += op_.Returns(output, inplace_form_);
    size_t next = stack.size() - returned;
    std::vector<IValue> outputs;
    for (const CustomTensor& output : op_.outputs()) {
      const bool is_returned = op_.Returns(output, inplace_form_);
      outputs.push_back(is_returned ? stack[next] : arguments[output.inplace]);
      next += is_returned;
    }
    return outputs;
  }

  void SetHistories(const NodePtr<torch::autograd::Node>& node, const std::vector<IValue>& outputs) const {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const bool is_overwritten = inplace_form_ && op_.outputs()[i].inplace >= 0;
      for (const at::Tensor& tensor : CustomTensorsOf(outputs[i])) {
        is_overwritten ? RebaseHistory(node, tensor) : SetHistory(node, tensor);
      }
    }
  }

  void SaveOutput(std::optional<SavedArgument>* saved, size_t index, const IValue& output) const {
    const CustomTensor& declared = op_.outputs()[index];
    const std::vector<at::Tensor> tensors = CustomTensorsOf(output);
    const bool is_view = inplace_form_ && declared.inplace >= 0 && !tensors.empty() && tensors[0].is_view();
    const bool is_differentiable = !tensors.empty() && IsDifferentiable(tensors[0].scalar_type());
    saved->emplace(declared, output, is_differentiable, is_view);
  }

  const CustomOp& op_;
  bool inplace_form_;
};

}  // namespace

torch::CppFunction CustomAutogradKernel(const CustomOp& op, bool inplace_form) {
  return torch::CppFunction::makeFromBoxedFunctor(std::make_unique<AutogradKernel>(op, inplace_form));
}

}  // namespace phi::torch_bridge
