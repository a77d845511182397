// SPDX-License-Identifier: Apache-2.0
#include "torch/autograd/vmap.h"

#include <ATen/LegacyBatchedTensorImpl.h>
#include <ATen/ops/_remove_batch_dim.h>

#include "torch/vmap/batch.h"

namespace phi::torch_bridge {
namespace {

using c10::IValue;
using torch::jit::Stack;

// Of the innermost level: that of others remains for the call of each sample.
struct AutogradBatch final : Samples {
  explicit AutogradBatch(c10::ArrayRef<IValue> arguments) {
    for (const IValue& argument : arguments)
      ForEachTensor(argument, [this](const at::Tensor& tensor) { Look(tensor); });
  }

  bool IsBatched(const at::Tensor& tensor) const override { return LevelOf(tensor) == level_; }

  at::Tensor Select(const at::Tensor& tensor, int64_t sample) const override {
    if (!IsBatched(tensor)) return tensor;
    return at::_remove_batch_dim(tensor, level_, size->guard_int(__FILE__, __LINE__), 0).select(0, sample);
  }

  at::Tensor Wrap(const at::Tensor& tensor) const override { return at::addBatchDim(tensor, level_, 0); }

 private:
  static int64_t LevelOf(const at::Tensor& tensor) {
    const auto* batched = at::maybeGetBatchedImpl(tensor);
    return batched == nullptr ? -1 : batched->bdims().back().level();
  }

  void Look(const at::Tensor& tensor) {
    if (LevelOf(tensor) <= level_) return;
    const auto* batched = at::unsafeGetBatchedImpl(tensor);
    level_ = LevelOf(tensor);
    size = batched->value().sym_size(batched->bdims().back().dim());
  }

  int64_t level_ = -1;
};

void Loop(const c10::OperatorHandle& op, Stack* stack) {
  const std::vector<IValue> arguments = torch::jit::pop(*stack, op.schema().arguments().size());
  CallEachSample(op, AutogradBatch(arguments), arguments, stack);
}

}  // namespace

torch::CppFunction AutogradLoopBatchRule() { return torch::CppFunction::makeFromBoxedFunction<&Loop>(); }

}  // namespace phi::torch_bridge
