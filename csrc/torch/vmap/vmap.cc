// SPDX-License-Identifier: Apache-2.0
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/ops/empty_strided.h>

#include "torch/composite/composite.h"
#include "torch/errors.h"
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

// What InferMeta refuses of one sample: it knows the operator's own rules, which the composite's operators do not.
void CheckSample(const c10::OperatorHandle& op, const Stack& stack) {
  constexpr auto kMeta = c10::DispatchKey::Meta;
  const c10::FunctionSchema& schema = op.schema();
  const std::optional<c10::OperatorHandle> alone = FindCheckAlone(schema.name());
  if (!alone && !op.hasKernelForDispatchKey(kMeta)) return;
  // past vmap, other transforms and modes: what this makes has no values and goes nowhere
  constexpr c10::DispatchKeySet modes{c10::DispatchKey::FuncTorchDynamicLayerFrontMode,
                                      c10::DispatchKey::FuncTorchDynamicLayerBackMode,
                                      c10::DispatchKey::PythonDispatcher};
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::functorch_transforms_ks | c10::python_ks | modes);
  const auto without_values = [](const at::Tensor& tensor) {
    return at::empty_strided_symint(tensor.sym_sizes(), tensor.sym_strides(), tensor.options().device(at::kMeta));
  };
  Stack call;
  for (const IValue& argument : torch::jit::last(stack, schema.arguments().size())) {
    call.push_back(MapTensors(argument, without_values));
  }
  if (alone) call.resize(alone->schema().arguments().size());
  try {
    (alone ? *alone : op).callBoxedForDispatchKey(kMeta, call);
  } catch (const NeedsValues&) {  // which the composite has where they are not batched
  }
}

void Composite(const c10::OperatorHandle& op, Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  CheckSample(op, *stack);
  if (!schema.arguments().empty() && schema.arguments().back().name() == "output_mask") stack->pop_back();
  FindComposite(schema.name(), "").callBoxed(stack);
}

}  // namespace

torch::CppFunction ElementwiseBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Elementwise>(); }
torch::CppFunction LoopBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Loop>(); }
torch::CppFunction CompositeBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Composite>(); }

}  // namespace phi::torch_bridge
