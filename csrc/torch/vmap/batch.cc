// SPDX-License-Identifier: Apache-2.0
#include "torch/vmap/batch.h"

#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/PlumbingHelper.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/stack.h>

#include <algorithm>

namespace phi::torch_bridge {

using c10::IValue;
using torch::jit::Stack;

Batch::Batch(int64_t level, c10::ArrayRef<IValue> arguments) : level(level) {
  const auto look = [&](const at::Tensor& tensor) {
    const auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, level);
    if (dim) size = value.sym_size(*dim);
    rank = std::max(rank, value.dim() - (dim ? 1 : 0));
  };
  for (const IValue& argument : arguments) ForEachTensor(argument, look);
}

bool Batch::IsBatched(const at::Tensor& tensor) const { return at::functorch::isBatchedAtLevel(tensor, level); }

at::Tensor Batch::Align(const at::Tensor& tensor) const {
  auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, level);
  value = dim ? value.movedim(*dim, 0) : value.unsqueeze(0);
  while (value.dim() < rank + 1) value = value.unsqueeze(1);
  if (dim) return value;
  std::vector<c10::SymInt> sizes = value.sym_sizes().vec();
  sizes[0] = *size;
  return value.expand_symint(sizes);
}

at::Tensor Batch::Select(const at::Tensor& tensor, int64_t sample) const {
  const auto [value, dim] = at::functorch::unwrapTensorAtLevel(tensor, level);
  return dim ? value.select(*dim, sample) : value;
}

at::Tensor Batch::Wrap(const at::Tensor& tensor) const { return at::functorch::makeBatched(tensor, 0, level); }

void CheckMutated(const c10::OperatorHandle& op, const Samples& batch, c10::ArrayRef<IValue> arguments) {
  const auto& declared = op.schema().arguments();
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].alias_info() == nullptr || !declared[i].alias_info()->isWrite()) continue;
    ForEachTensor(arguments[i], [&](const at::Tensor& tensor) {
      TORCH_CHECK(batch.IsBatched(tensor),
                  "vmap: ",
                  op.schema().name(),
                  " cannot overwrite its argument '",
                  declared[i].name(),
                  "', which is not batched, with values that are different for each sample. Use the functional form.");
    });
  }
}

const IValue* AliasedArgument(const c10::FunctionSchema& schema, size_t index, c10::ArrayRef<IValue> arguments) {
  const auto* alias = schema.returns()[index].alias_info();
  if (alias == nullptr) return nullptr;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto* other = schema.arguments()[i].alias_info();
    if (other != nullptr && other->beforeSets() == alias->beforeSets()) return &arguments[i];
  }
  return nullptr;
}

namespace {

// Results of each sample as one batched result.
IValue Join(const std::vector<IValue>& samples, const Samples& batch) {
  const auto join = [&](const auto& tensor_of) -> at::Tensor {
    std::vector<at::Tensor> tensors;
    for (const IValue& sample : samples) tensors.push_back(tensor_of(sample));
    return tensors[0].defined() ? batch.Wrap(at::stack(tensors)) : at::Tensor();
  };
  if (!samples[0].isTensorList()) return join([](const IValue& sample) { return sample.toTensor(); });
  c10::List<at::Tensor> joined;
  for (size_t i = 0; i < samples[0].toTensorVector().size(); ++i) {
    joined.push_back(join([&](const IValue& sample) { return sample.toTensorVector()[i]; }));
  }
  return joined;
}

}  // namespace

void CallEach(const c10::OperatorHandle& op, const Batch& batch, const std::vector<IValue>& arguments, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard guard(c10::DispatchKey::FuncTorchBatched);
  CallEachSample(op, batch, arguments, stack);
}

void CallEachSample(const c10::OperatorHandle& op,
                    const Samples& batch,
                    const std::vector<IValue>& arguments,
                    Stack* stack) {
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
      stack->push_back(batch.size ? Join(results[j], batch) : results[j][0]);
    }
  }
}

}  // namespace phi::torch_bridge
