// SPDX-License-Identifier: Apache-2.0
#include "program/prepared_call.h"

#include <utility>

#include "common/enforce.h"
#include "core/device_context_pool.h"
#include "primitive/tensor_copy.h"

namespace phi {

namespace {

// What the kernel made goes to its variable.
void Finish(WrittenTensor* written) {
  DenseTensor* made = written->target();
  const bool is_made = made->initialized() || made->numel() == 0 || written->variable == nullptr;
  PADDLE_ENFORCE(is_made, errors::Fatal("the kernel did not make one of its outputs"));
  if (written->variable == nullptr) {
    written->own = DenseTensor();
  } else if (written->in_place) {
    auto* tensor = written->variable->TryGet<DenseTensor>();
    if (!made->IsSharedBufferWith(*tensor)) {
      const DeviceContext& context = *DeviceContextPool::Instance().Get(tensor->place());
      GetPrimitive<primitive::TensorCopy>(context)(context, *made, tensor);
    }
    written->own = DenseTensor();
  } else if (written->is_input) {
    *written->variable->TryGet<DenseTensor>() = std::exchange(written->own, DenseTensor());
  }
}

}  // namespace

const TensorBase* TensorOf(const Variable& variable) {
  if (const auto* dense = variable.TryGet<DenseTensor>()) return dense;
  return variable.TryGet<SelectedRows>();
}

void PreparedCall::Complete(const Scope* of) {
  scope = of;
  epoch = Scope::Epoch();
  infer_meta = &MetaFnFactory::Instance().Get(plan.kernel_name);
}

bool PreparedCall::HoldsFor(const RunContext& context) const {
  if (reads_values || scope != context.scope || epoch != Scope::Epoch()) return false;
  for (const ReadTensor& read : reads) {
    if (TensorOf(*read.variable) != read.tensor || read.tensor->dtype() != read.dtype ||
        read.tensor->place() != read.place) {
      return false;
    }
  }
  return !reads.empty() || plan.result_place == context.place;
}

void PreparedCall::Run() {
  for (const auto& written : writes) *written->target() = DenseTensor();
  InferMeta(*infer_meta, plan, &call);
  for (const auto& written : writes) {
    if (!written->in_place) continue;
    const auto& tensor = *written->variable->TryGet<DenseTensor>();
    if (written->own.dtype() == tensor.dtype() && written->own.strides() == tensor.strides()) {
      written->own.ShareBufferWith(tensor);
    }
  }
  phi::Run(plan, &call, device_context);
  for (const auto& written : writes) Finish(written.get());
}

}  // namespace phi
