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
  DenseTensor* made = written->target;
  const bool is_made = made->initialized() || made->numel() == 0 || written->variable == nullptr;
  PADDLE_ENFORCE(is_made, errors::Fatal("the kernel did not make one of its outputs"));
  if (written->variable == nullptr) {
    written->own = DenseTensor();
  } else if (written->in_place) {
    auto* tensor = written->variable->TryGet<DenseTensor>();
    if (made->dims() != tensor->dims()) {  // of an operand that was broadcast
      *tensor = *made;
    } else if (!made->IsSharedBufferWith(*tensor)) {
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
  if (const auto* rows = variable.TryGet<SelectedRows>()) return rows;
  if (const auto* coo = variable.TryGet<SparseCooTensor>()) return coo;
  return variable.TryGet<SparseCsrTensor>();
}

TensorBase* MutableTensorOf(Variable* variable, TensorKind kind) {
  if (kind == TensorKind::kSelectedRows) return variable->GetMutable<SelectedRows>();
  if (kind == TensorKind::kSparseCoo) return variable->GetMutable<SparseCooTensor>();
  if (kind == TensorKind::kSparseCsr) return variable->GetMutable<SparseCsrTensor>();
  PADDLE_THROW(errors::Unimplemented("a variable of a program holds no tensor of a library's own class"));
}

void PreparedCall::Complete(const Scope* of) {
  scope = of;
  epoch = Scope::Epoch();
  infer_meta = &MetaFnFactory::Instance().Get(plan.kernel_name);
}

const TensorBase* PreparedCall::Adapted(size_t position, const std::string& slot, const TensorBase* input) {
  const bool is_dense = input->kind() == TensorKind::kDense;
  const auto* dense = is_dense ? static_cast<const DenseTensor*>(input) : nullptr;
  if (aligned != nullptr) {
    PADDLE_ENFORCE_NOT_NULL(dense, errors::InvalidType("slot %s: expected a dense tensor", slot));
    aligned->sources[position] = dense;
    return &aligned->operands[position];
  }
  if (dense != nullptr && slot == kShapeSlot) return &noted.emplace_back(dense, DenseTensor()).second;
  return input;
}

void PreparedCall::AdaptInputs() {
  if (aligned != nullptr) aligned->Make();
  for (auto& [note, x] : noted) x = TensorOfNote(*note);
}

bool PreparedCall::HoldsFor(const RunContext& context) const {
  if (reads_values || scope != context.scope || epoch != Scope::Epoch()) return false;
  for (const ReadTensor& read : reads) {
    if (TensorOf(*read.variable) != read.tensor || read.tensor->dtype() != read.dtype ||
        read.tensor->place() != read.place) {
      return false;
    }
  }
  for (const auto& [variable, tensor] : targets) {
    if (TensorOf(*variable) != tensor) return false;
  }
  return !reads.empty() || plan.result_place == context.place;
}

void PreparedCall::Run() {
  AdaptInputs();
  if (shape_note != nullptr) *shape_note->GetMutable<DenseTensor>() = NoteOfShape(*call.InputAt<DenseTensor>(0));
  for (const auto& written : writes) *written->target = DenseTensor();
  InferMeta(*infer_meta, plan, &call, &infer_meta_context);
  for (const auto& written : writes) {
    if (!written->in_place) continue;
    const auto& tensor = *written->variable->TryGet<DenseTensor>();
    const DenseTensorMeta &made = written->own.meta(), &had = tensor.meta();
    if (made.dtype == had.dtype && made.dims == had.dims && made.strides == had.strides) {
      written->own.ShareBufferWith(tensor);
    }
  }
  phi::Run(plan, &call, device_context);
  for (const auto& written : writes) Finish(written.get());
  if (aligned != nullptr) aligned->operands[0] = aligned->operands[1] = DenseTensor();  // of no further use
}

}  // namespace phi
