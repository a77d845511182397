// SPDX-License-Identifier: Apache-2.0
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/PlumbingHelper.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <optional>

#include "torch/composite.h"
#include "torch/keys.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;
using torch::jit::Stack;

template <class F>
void ForEachTensor(const IValue& value, const F& f) {
  if (value.isTensor() && value.toTensor().defined()) f(value.toTensor());
  if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) f(tensor);
  }
}

template <class F>
IValue MapTensors(const IValue& value, const F& f) {
  if (value.isTensor() && value.toTensor().defined()) return f(value.toTensor());
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> mapped;
  for (const at::Tensor& tensor : value.toTensorVector()) mapped.push_back(f(tensor));
  return mapped;
}

// What the arguments of one call have in common.
struct Batch {
  Batch(const int64_t level, c10::ArrayRef<IValue> arguments) : level(level) {
    const auto look = [&](const at::Tensor& tensor) {
      const auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, this->level);
      if (dim) size = value.sym_size(*dim);
      rank = std::max(rank, value.dim() - (dim ? 1 : 0));
    };
    for (const IValue& argument : arguments) ForEachTensor(argument, look);
  }

  bool IsBatched(const at::Tensor& tensor) const { return at::functorch::isBatchedAtLevel(tensor, level); }

  // The tensor as [batch, 1..., its own dimensions], with `rank` dimensions after the first.
  at::Tensor Align(const at::Tensor& tensor) const {
    auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, level);
    value = dim ? value.movedim(*dim, 0) : value.unsqueeze(0);
    while (value.dim() < rank + 1) value = value.unsqueeze(1);
    if (dim) return value;
    std::vector<c10::SymInt> sizes = value.sym_sizes().vec();
    sizes[0] = *size;
    return value.expand_symint(sizes);
  }

  // The tensor of one sample.
  at::Tensor Select(const at::Tensor& tensor, int64_t sample) const {
    const auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, level);
    return dim ? value.select(*dim, sample) : value;
  }

  int64_t level;
  std::optional<c10::SymInt> size;  // none when no argument is batched at this level
  int64_t rank = 0;
};

void CheckMutated(const c10::OperatorHandle& op, const Batch& batch, c10::ArrayRef<IValue> arguments) {
  const auto& declared = op.schema().arguments();
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].alias_info() == nullptr || !declared[i].alias_info()->isWrite()) continue;
    ForEachTensor(arguments[i], [&](const at::Tensor& tensor) {
      TORCH_CHECK(batch.IsBatched(tensor),
                  "vmap: ",
                  op.schema().name(),
                  " cannot overwrite its argument '",
                  declared[i].name(),
                  "', which is not batched, since another argument is. Use the functional form.");
    });
  }
}

// The argument that an aliased return is.
const IValue* AliasedArgument(const c10::FunctionSchema& schema, size_t index, c10::ArrayRef<IValue> arguments) {
  const auto* alias = schema.returns()[index].alias_info();
  if (alias == nullptr) return nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto* other = schema.arguments()[i].alias_info();
    if (other != nullptr && other->beforeSets() == alias->beforeSets()) return &arguments[i];
  }
  return nullptr;
}

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
    const auto wrap = [&](const at::Tensor& t) { return at::functorch::makeBatched(t, 0, batch.level); };
    stack->push_back(argument != nullptr ? *argument : MapTensors(results[i], wrap));
  }
}

// Results of each sample as one batched result.
IValue Join(const std::vector<IValue>& samples, int64_t level) {
  const auto join = [&](const auto& tensor_of) -> at::Tensor {
    std::vector<at::Tensor> tensors;
    for (const IValue& sample : samples) tensors.push_back(tensor_of(sample));
    return tensors[0].defined() ? at::functorch::makeBatched(at::stack(tensors), 0, level) : at::Tensor();
  };
  if (!samples[0].isTensorList()) return join([](const IValue& sample) { return sample.toTensor(); });
  c10::List<at::Tensor> joined;
  for (size_t i = 0; i < samples[0].toTensorVector().size(); ++i) {
    joined.push_back(join([&](const IValue& sample) { return sample.toTensorVector()[i]; }));
  }
  return joined;
}

void Loop(const c10::OperatorHandle& op, Stack* stack) {
  const auto layer = at::functorch::maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(layer.has_value());
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::FuncTorchBatched);
  const std::vector<IValue> arguments = torch::jit::pop(*stack, op.schema().arguments().size());
  const Batch batch(layer->layerId(), arguments);
  const int64_t count = batch.size ? batch.size->guard_int(__FILE__, __LINE__) : 1;
  TORCH_CHECK(count > 0, "vmap: ", op.schema().name(), " has no batching rule for an empty batch.");
  if (batch.size) CheckMutated(op, batch, arguments);
  std::vector<std::vector<IValue>> results(op.schema().returns().size());
  for (int64_t i = 0; i < count; ++i) {
    const auto select = [&](const at::Tensor& tensor) { return batch.Select(tensor, i); };
    Stack call;
    for (const IValue& argument : arguments) call.push_back(MapTensors(argument, select));
    op.callBoxed(call);
    for (size_t j = 0; j < results.size(); ++j) results[j].push_back(std::move(call[j]));
  }
  for (size_t j = 0; j < results.size(); ++j) {
    const IValue* argument = AliasedArgument(op.schema(), j, arguments);
    if (argument != nullptr) {
      stack->push_back(*argument);
    } else {
      stack->push_back(batch.size ? Join(results[j], batch.level) : results[j][0]);
    }
  }
}

void Composite(const c10::OperatorHandle& op, Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  if (!schema.arguments().empty() && schema.arguments().back().name() == "output_mask") stack->pop_back();
  FindComposite(schema.name()).callBoxed(stack);
}

}  // namespace

torch::CppFunction ElementwiseBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Elementwise>(); }
torch::CppFunction LoopBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Loop>(); }
torch::CppFunction CompositeBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Composite>(); }

}  // namespace phi::torch_bridge
