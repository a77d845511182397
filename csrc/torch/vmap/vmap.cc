// SPDX-License-Identifier: Apache-2.0
#include <ATen/functorch/DynamicLayer.h>

#include "torch/composite/composite.h"
#include "torch/keys.h"
#include "torch/vmap/batch.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;
using torch::jit::Stack;

void Elementwise(const c10::OperatorHandle& op, Stack* stack) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer.has_value());
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::FuncTorchBatched);
  const c10::FunctionSchema& schema = op.schema();
  const std::vector<IValue> arguments = torch::jit::pop(*stack, schema.arguments().size());
  const Batch batch(layer->layerId(), arguments);
  const auto align = [&](const at::Tensor& tensor) { return batch.size ? batch.Align(tensor) : tensor; };
  if (batch.size) CheckMutated(op, batch, arguments);
  for (const IValue& argument : arguments) stack->push_back(MapTensors(argument, align));
  op.callBoxed(stack);
  if (!batch.size) return;
  std::vector<IValue> results = torch::jit::pop(*stack, schema.returns().size());
  for (size_t i = 0; i < results.size(); ++i) {
    const IValue* argument = AliasedArgument(schema, i, arguments);
    const auto wrap = [&](const at::Tensor& t) { return batch.Wrap(t); };
    stack->push_back(argument != nullptr ? *argument : MapTensors(results[i], wrap));
  }
}

void Loop(const c10::OperatorHandle& op, Stack* stack) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer.has_value());
  const std::vector<IValue> arguments = torch::jit::pop(*stack, op.schema().arguments().size());
  CallEach(op, Batch(layer->layerId(), arguments), arguments, stack);
}

void Composite(const c10::OperatorHandle& op, Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  if (!schema.arguments().empty() && schema.arguments().back().name() == "output_mask") stack->pop_back();
  FindComposite(schema.name(), "").callBoxed(stack);
}

}  // namespace

torch::CppFunction ElementwiseBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Elementwise>(); }
torch::CppFunction LoopBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Loop>(); }
torch::CppFunction CompositeBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Composite>(); }

}  // namespace phi::torch_bridge
