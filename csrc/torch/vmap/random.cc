// SPDX-License-Identifier: Apache-2.0
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/VmapInterpreter.h>
#include <ATen/ops/randint.h>

#include <algorithm>
#include <limits>

#include "torch/keys.h"
#include "torch/vmap/batch.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;
using torch::jit::Stack;

// One batched call of an op without tensors, whose elements are drawn one by one.
void CallWithShape(const c10::OperatorHandle& op, const Batch& batch, std::vector<IValue> arguments, Stack* stack) {
  const auto index = op.schema().argumentIndexWithName("shape");
  TORCH_CHECK(index.has_value(), op.schema().name(), ": 'vmap : elementwise' needs a tensor or an argument 'shape'.");
  std::vector<c10::SymInt> shape = arguments[*index].toSymIntVector();
  shape.insert(shape.begin(), *batch.size);
  arguments[*index] = c10::SymIntArrayRef(shape);
  stack->insert(stack->end(), arguments.begin(), arguments.end());
  op.callBoxed(stack);
  for (IValue& result : torch::jit::pop(*stack, op.schema().returns().size())) {
    stack->push_back(MapTensors(result, [&](const at::Tensor& t) { return batch.Wrap(t); }));
  }
}

// The same numbers for each sample: those of one seed, if the op takes it as a tensor.
void FixSeed(const c10::OperatorHandle& op, std::vector<IValue>* arguments) {
  const auto index = op.schema().argumentIndexWithName("seed_tensor");
  TORCH_CHECK(index.has_value(),
              "vmap: ",
              op.schema().name(),
              " does not support same randomness with a batched tensor input. Use randomness='different', or draw the "
              "numbers outside of vmap.");
  if (!(*arguments)[*index].isNone()) return;
  at::Device device = at::kCPU;
  for (const IValue& argument : *arguments) ForEachTensor(argument, [&](const at::Tensor& t) { device = t.device(); });
  (*arguments)[*index] = at::randint(std::numeric_limits<int32_t>::max(), {1}, at::device(device).dtype(at::kInt));
}

template <bool elementwise>
void Random(const c10::OperatorHandle& op, Stack* stack) {
  using at::functorch::RandomnessType;
  auto layer = at::functorch::maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer.has_value());
  const at::functorch::VmapInterpreterPtr vmap(&layer->interpreter());
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::FuncTorchVmapMode);
  const c10::FunctionSchema& schema = op.schema();
  std::vector<IValue> arguments = torch::jit::pop(*stack, schema.arguments().size());
  Batch batch(layer->layerId(), arguments);
  const auto is_test = schema.argumentIndexWithName("is_test");
  const bool draws = !is_test.has_value() || !arguments[*is_test].toBool();
  TORCH_CHECK(
      !draws || vmap.randomness() != RandomnessType::Error,
      "vmap: called random operation ",
      schema.name(),
      " while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or "
      "perform the randomness operation out of vmap");
  const bool is_different = draws && vmap.randomness() == RandomnessType::Different;
  if (draws && !is_different && batch.size) {
    FixSeed(op, &arguments);
    CallEach(op, batch, arguments, stack);
  } else if (is_different && !batch.size) {
    batch.size = vmap.batchSize();
    CheckMutated(op, batch, arguments);
    const bool has_tensors = std::any_of(arguments.begin(), arguments.end(), [](const IValue& value) {
      return value.isTensor() || value.isTensorList();
    });
    if (elementwise && !has_tensors) {
      CallWithShape(op, batch, std::move(arguments), stack);
    } else {
      CallEach(op, batch, arguments, stack);
    }
  } else if (batch.size && !op.hasKernelForDispatchKey(c10::DispatchKey::FuncTorchBatched)) {
    CallEach(op, batch, arguments, stack);
  } else {
    stack->insert(stack->end(), arguments.begin(), arguments.end());
    op.callBoxed(stack);
  }
}

}  // namespace

torch::CppFunction RandomBatchRule(bool elementwise) {
  return elementwise ? torch::CppFunction::makeFromBoxedFunction<&Random<true>>()
                     : torch::CppFunction::makeFromBoxedFunction<&Random<false>>();
}

}  // namespace phi::torch_bridge
