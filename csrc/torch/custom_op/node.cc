// SPDX-License-Identifier: Apache-2.0
#include "torch/custom_op/node.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "torch/autograd/grads.h"

namespace phi::torch_bridge {

using at::IValue;
using Source = CustomDerivative::Source;
using From = CustomDerivative::From;
namespace dynamo = torch::dynamo::autograd;

struct CustomBackward::Values {
  std::vector<int64_t> edge_counts;
  std::vector<std::vector<at::Tensor>> saved;
  std::vector<SavedMetas> outputs;
  std::vector<IValue> attributes;
};

namespace {

using PackedMetas = CompiledField<SavedMetas>::Packed;

IValue Argument(const CustomTensor& declared, const std::vector<at::Tensor>& tensors) {
  if (declared.is_list) return tensors.empty() && declared.is_optional ? IValue() : IValue(tensors);
  if (tensors.empty() || !tensors[0].defined()) return declared.is_optional ? IValue() : IValue(at::Tensor());
  return tensors[0];
}

// The part of a flat list that belongs to each input or output.
std::vector<size_t> Begins(const std::vector<int64_t>& counts) {
  std::vector<size_t> begins(1, 0);
  for (const int64_t count : counts) begins.push_back(begins.back() + static_cast<size_t>(count));
  return begins;
}

c10::OperatorHandle HandleOf(const CustomOp& op) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(op.qualified_name().c_str(), "");
}

}  // namespace

variable_list CustomBackward::Differentiate(const CustomOp& op, const variable_list& grads, const Values& values) {
  const CustomDerivative& derivative = *op.derivative();
  const std::vector<size_t> edges = Begins(values.edge_counts);
  variable_list result(edges.back());
  if (!AnyDefined(grads)) return result;
  std::vector<int64_t> output_counts;
  for (const SavedMetas& metas : values.outputs) output_counts.push_back(static_cast<int64_t>(metas.size()));
  const std::vector<size_t> outputs = Begins(output_counts);
  torch::jit::Stack stack;
  size_t next_saved = 0;
  for (size_t i = 0; i < derivative.inputs.size(); ++i) {
    const CustomTensor& declared = derivative.op->inputs()[i];
    const Source& source = derivative.inputs[i];
    stack.push_back(source.from == From::kGrad
                        ? Argument(declared, GradsOrZeros(grads, outputs[source.index], values.outputs[source.index]))
                        : Argument(declared, values.saved[next_saved++]));
  }
  stack.insert(stack.end(), values.attributes.begin(), values.attributes.end());
  HandleOf(*derivative.op).callBoxed(stack);
  for (size_t i = 0; i < derivative.targets.size(); ++i) {
    const size_t target = derivative.targets[i];
    const std::vector<at::Tensor> computed = CustomTensorsOf(stack[i]);
    const auto count = static_cast<size_t>(values.edge_counts[target]);
    TORCH_CHECK(computed.size() <= count, derivative.op->qualified_name(), ": more gradients than tensors");
    for (size_t j = 0; j < computed.size(); ++j) result[edges[target] + j] = computed[j];
  }
  return result;
}

std::string CustomBackward::name() const { return op.info().extension + "_" + op.name() + "_Backward"; }

void CustomBackward::release_variables() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (SavedArgument& argument : saved) {
    argument.Visit([](auto field, auto& member) { field.Release(member); });
  }
}

variable_list CustomBackward::apply(variable_list&& grads) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return Differentiate(op, grads, Unpack());
}

CustomBackward::Values CustomBackward::Unpack() {
  Values values{edge_counts, {}, outputs, attributes};
  const NodePtr<torch::autograd::Node> self = SelfOf(*this);
  for (SavedArgument& argument : saved) {
    values.saved.push_back(argument.Visit([&](auto field, auto& member) {
      std::vector<at::Tensor> tensors;
      ForEachTensor([&](const at::Tensor& tensor) { tensors.push_back(tensor); }, field.Unpack(member, self));
      return tensors;
    }));
  }
  return values;
}

void CustomBackward::compiled_args(CompiledNodeArgs& args) const {
  args.collect(name());
  args.collect(edge_counts);
  for (const SavedArgument& argument : saved) {
    const_cast<SavedArgument&>(argument).Visit([&](auto field, auto& member) { field.Collect(args, member); });
  }
  for (const SavedMetas& metas : outputs) CompiledField<SavedMetas>::Collect(args, metas);
  for (const IValue& attribute : attributes) args.collect(attribute, /*nested=*/true);
}

variable_list CustomBackward::apply_with_saved(const variable_list& grads, SwapSavedVariables& swap) {
  for (SavedArgument& argument : saved) {
    argument.Visit([&](auto field, auto& member) { field.Before(swap, member); });
  }
  for (SavedMetas& metas : outputs) CompiledField<SavedMetas>::Before(swap, metas);
  const auto& compiler = dynamo::getPyCompilerInterface();
  if (BindsFirst(name())) {
    const auto call = [&op = op](const variable_list& grads, const dynamo::ivalue_list& packed) {
      return Differentiate(op, grads, FromPacked(op, packed));
    };
    compiler->bind_function(swap.get_py_compiler(), name(), call, PackedTypes());
  }
  const auto metadata = dynamo::IValuePacker<std::vector<std::optional<torch::autograd::InputMetadata>>>::pack(
      dynamo::get_input_metadata(next_edges()));
  variable_list result =
      compiler->call_function(swap.get_py_compiler(), "apply_functional", name(), grads, Pack(Unpack()), metadata);
  for (SavedArgument& argument : saved) {
    argument.Visit([&](auto field, auto& member) { field.After(swap, member); });
  }
  for (SavedMetas& metas : outputs) CompiledField<SavedMetas>::After(swap, metas);
  return result;
}

dynamo::ivalue_list CustomBackward::Pack(const Values& values) {
  dynamo::PackedArgs packed;
  packed.pack(values.edge_counts);
  for (const auto& tensors : values.saved) packed.pack(tensors);
  for (const SavedMetas& metas : values.outputs) packed.pack(CompiledField<SavedMetas>::ToPacked(metas));
  dynamo::ivalue_list ivalues = std::move(packed).vec();
  ivalues.insert(ivalues.end(), values.attributes.begin(), values.attributes.end());
  return ivalues;
}

std::vector<at::TypePtr> CustomBackward::PackedTypes() const {
  std::vector<at::TypePtr> types{dynamo::IValuePacker<std::vector<int64_t>>::packed_type()};
  types.resize(types.size() + saved.size(), dynamo::IValuePacker<std::vector<at::Tensor>>::packed_type());
  types.resize(types.size() + outputs.size(), dynamo::IValuePacker<PackedMetas>::packed_type());
  const CustomOp& grad = *op.derivative()->op;
  const c10::OperatorHandle handle = HandleOf(grad);
  for (size_t i = 0; i < attributes.size(); ++i) {
    types.push_back(handle.schema().arguments()[grad.inputs().size() + i].type());
  }
  return types;
}

CustomBackward::Values CustomBackward::FromPacked(const CustomOp& op, const dynamo::ivalue_list& ivalues) {
  dynamo::PackedArgs packed(ivalues);
  Values values;
  values.edge_counts = packed.unpack<std::vector<int64_t>>();
  for (const Source& source : op.derivative()->inputs) {
    if (source.from != From::kGrad) values.saved.push_back(packed.unpack<std::vector<at::Tensor>>());
  }
  for (size_t i = 0; i < op.outputs().size(); ++i) {
    values.outputs.push_back(CompiledField<SavedMetas>::FromPacked(packed.unpack<PackedMetas>()));
  }
  const auto attributes = static_cast<std::ptrdiff_t>(op.derivative()->attributes.size());
  values.attributes.assign(ivalues.end() - attributes, ivalues.end());
  return values;
}

}  // namespace phi::torch_bridge
