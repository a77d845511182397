// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>
#include <vector>

// What batching rules have in common: the tensors of a call of an operator, some of which are batched at vmap's level.
namespace phi::torch_bridge {

template <class F>
void ForEachTensor(const c10::IValue& value, const F& f) {
  if (value.isTensor() && value.toTensor().defined()) f(value.toTensor());
  if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) f(tensor);
  }
}

template <class F>
c10::IValue MapTensors(const c10::IValue& value, const F& f) {
  if (value.isTensor() && value.toTensor().defined()) return f(value.toTensor());
  if (!value.isTensorList()) return value;
  c10::List<at::Tensor> mapped;
  for (const at::Tensor& tensor : value.toTensorVector()) mapped.push_back(f(tensor));
  return mapped;
}

// What the arguments of one call have in common.
struct Samples {
  virtual ~Samples() = default;
  virtual bool IsBatched(const at::Tensor& tensor) const = 0;
  // The tensor of one sample.
  virtual at::Tensor Select(const at::Tensor& tensor, int64_t sample) const = 0;
  // A result whose first dimension is the batch.
  virtual at::Tensor Wrap(const at::Tensor& tensor) const = 0;

  std::optional<c10::SymInt> size;  // none when no argument is batched at this level
};

// Those of a level of functorch's.
struct Batch final : Samples {
  Batch(int64_t level, c10::ArrayRef<c10::IValue> arguments);

  bool IsBatched(const at::Tensor& tensor) const override;
  // The tensor as [batch, 1..., its own dimensions], with `rank` dimensions after the first.
  at::Tensor Align(const at::Tensor& tensor) const;
  at::Tensor Select(const at::Tensor& tensor, int64_t sample) const override;
  at::Tensor Wrap(const at::Tensor& tensor) const override;

  int64_t level;
  int64_t rank = 0;
};

// Raises if the op overwrites an argument that is not batched.
void CheckMutated(const c10::OperatorHandle& op, const Samples& batch, c10::ArrayRef<c10::IValue> arguments);

// The argument that an aliased return is; null for another return.
const c10::IValue* AliasedArgument(const c10::FunctionSchema& schema,
                                   size_t index,
                                   c10::ArrayRef<c10::IValue> arguments);

// Calls the op for each sample; once if the batch has no size.
void CallEachSample(const c10::OperatorHandle& op,
                    const Samples& batch,
                    const std::vector<c10::IValue>& arguments,
                    torch::jit::Stack* stack);

// The same past functorch's key, at the level of the batch.
void CallEach(const c10::OperatorHandle& op,
              const Batch& batch,
              const std::vector<c10::IValue>& arguments,
              torch::jit::Stack* stack);

}  // namespace phi::torch_bridge
