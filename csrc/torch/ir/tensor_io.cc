// SPDX-License-Identifier: Apache-2.0
#include "torch/ir/tensor_io.h"

#include <ATen/ops/zeros.h>

#include "torch/given_tensor.h"

namespace phi::torch_bridge {

at::Tensor Resolved(const at::Tensor& tensor) {
  if (tensor._is_zerotensor()) return at::zeros(tensor.sizes(), tensor.options());
  return tensor.resolve_conj().resolve_neg();
}

bool HasMemory(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return false;
  const c10::Storage& storage = tensor.unsafeGetTensorImpl()->unsafe_storage();
  return storage.unsafeGetStorageImpl()->_mutable_data_ptr_no_checks().get() != nullptr || tensor.numel() == 0;
}

ProgramInput::ProgramInput(const ir::Port& port, const Place& place, const at::Tensor& tensor, DenseTensor* lent) {
  const bool fits = tensor.layout() == at::kStrided && ToPhi(tensor.device()) == place;
  PADDLE_ENFORCE(fits,
                 errors::InvalidArgument("input '%s': expected a dense tensor on %s, got one on %s of the layout %s",
                                         port.name,
                                         place,
                                         tensor.device().str(),
                                         c10::str(tensor.layout())));
  PADDLE_ENFORCE(
      HasMemory(tensor) || tensor._is_zerotensor(),
      errors::InvalidArgument("input '%s': expected a tensor with memory of its own, got one without, as those of a "
                              "trace, of vmap and wrappers are; ir.to_module(program) takes these",
                              port.name));
  const bool is_plain = !tensor.is_conj() && !tensor.is_neg() && !tensor._is_zerotensor();
  if (__builtin_expect(tensor.is_contiguous() && is_plain, 1)) {
    Borrow(tensor, lent);
    return;
  }
  copy_ = Resolved(tensor).contiguous();
  Borrow(copy_, lent);
}

void* ProgramOutputs::Allocate(size_t i, const DenseTensorMeta& meta) {
  if (kept_ != nullptr && (*kept_)[i].defined() && (*kept_)[i].sizes() == Ref(meta.dims)) {
    tensors_[i] = (*kept_)[i];
    return tensors_[i].data_ptr();
  }
  OutTensor out;
  out.set_meta(meta);
  void* data = out.AllocateFrom(nullptr, place_, meta.dtype, 0);
  tensors_[i] = out.Release(place_);
  return data;
}

void ProgramOutputs::Receive(size_t i, DenseTensor tensor) { tensors_[i] = GivenOrToTorch(tensor); }

void ProgramOutputs::ReceiveArray(size_t i, ir::TensorArray array) {
  std::vector<at::Tensor>& tensors = arrays_[i];
  for (const DenseTensor& tensor : array) tensors.push_back(GivenOrToTorch(tensor));
}

std::vector<at::Tensor>* ProgramOutputs::ArrayAt(size_t i) {
  const auto found = arrays_.find(i);
  return found == arrays_.end() ? nullptr : &found->second;
}

c10::SmallVector<at::Tensor, 4> ProgramOutputs::Release() {
  if (kept_ != nullptr) kept_->assign(tensors_.begin(), tensors_.end());
  return std::move(tensors_);
}

}  // namespace phi::torch_bridge
