// SPDX-License-Identifier: Apache-2.0
#include "torch/call.h"

#include <ATen/ops/empty.h>

#include "primitive/cast.h"
#include "primitive/copy_nd.h"

namespace phi::torch_bridge {

DataType KeyBuilder::PromoteComplexSlow(DataType seen, DataType next) {
  if (seen == DataType::COMPLEX128 || next == DataType::COMPLEX128) return DataType::COMPLEX128;
  if (seen == DataType::COMPLEX64) return next == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  if (next == DataType::COMPLEX64) return seen == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  return next;
}

void KeyBuilder::NoteSlow(const char* part, const char* name) {
  sources_.push_back(std::string(part) + " from " + name);
}

void Call::Prepare(const KeyBuilder& builder) {
  if (!device_.is_cpu()) guard_.reset_device(device_);
  context_ = DeviceContextPool::Instance().Get(result_.has_fallback_cpu ? CPUPlace() : ToPhi(device_));
  const KernelKey key = builder.key();
  if (result_.has_fallback_cpu) site_.WarnFallback(key);
  if (IsObserved()) {
    record_ = std::make_unique<CallRecord>();
    record_->op = site_.op();
    record_->kernel_name = site_.kernels().name();
    record_->key = key;
    record_->sources = builder.sources();
    record_->result = SelectKernelOrThrowError(site_.kernels(), key, true, &record_->steps);
  }
}

namespace {

// A contiguous copy as `dtype`, by the device's primitive `P`; undefined where it has none.
template <typename P, typename... Keys>
at::Tensor CopyAs(const at::Tensor& tensor, DataType dtype, Keys... keys) {
  const Place place = torch_bridge::ToPhi(tensor.device());
  const auto copy = FindPrimitive<P>(PlaceToBackend(place), keys...);
  if (copy == nullptr || tensor.numel() == 0) return at::Tensor();
  at::Tensor result = at::empty(tensor.sizes(), tensor.options().dtype(torch_bridge::ToTorch(dtype)));
  DenseTensor out = Borrow(result);
  copy(*DeviceContextPool::Instance().Get(place), Borrow(tensor), &out);
  return result;
}

at::Tensor CastTo(const at::Tensor& tensor, DataType dtype) {
  at::Tensor cast = CopyAs<primitive::Cast>(tensor, dtype, torch_bridge::ToPhi(tensor.scalar_type()), dtype);
  return cast.defined() ? cast : tensor.to(torch_bridge::ToTorch(dtype));
}

}  // namespace

at::Tensor Contiguous(const at::Tensor& tensor) {
  const DataType dtype = torch_bridge::ToPhi(tensor.scalar_type());
  at::Tensor copy = CopyAs<primitive::CopyNd>(tensor, dtype, dtype);
  return copy.defined() ? copy : tensor.contiguous();
}

const at::Tensor& Transform(
    const at::Tensor& tensor, Call& call, int index, const char* name, int flags, at::Tensor* owned) {
  // an input that only InferMeta reads has no definition
  const TensorArgDef def = index >= 0 ? call.kernel().args_def().input_defs().at(index) : TensorArgDef();
  const auto note = [&](const char* what) {
    if (call.record()) call.record()->transforms.push_back({name, what});
  };
  const at::Tensor* current = &tensor;
  const auto replace = [&](at::Tensor with, const char* what) {
    *owned = std::move(with);
    current = owned;
    note(what);
  };
  if (flags & kSkipTransform) return tensor;
  if (tensor.is_conj() || tensor.is_neg())
    replace(current->resolve_conj().resolve_neg(), "resolve conjugate or negative view");
  if (!(flags & (kStrided | kNoBuffer)) && !call.takes_strides() && !current->is_contiguous()) {
    replace(Contiguous(*current), "make contiguous");
  }
  const DataType dtype = torch_bridge::ToPhi(current->scalar_type());
  const bool to_complex = IsComplexType(def.dtype) && !IsComplexType(dtype) && IsFloatingType(dtype);
  if (def.dtype != DataType::ALL_DTYPE && def.dtype != dtype && ((flags & kTransDtype) || to_complex)) {
    replace(CastTo(*current, def.dtype), "cast");
  }
  if (def.backend == Backend::ALL_BACKEND || (flags & kNoBuffer)) return *current;
  const c10::Device wanted =
      torch_bridge::ToTorch(def.backend == Backend::CPU ? CPUPlace() : call.context().GetPlace());
  if (current->device() != wanted) {
    PADDLE_ENFORCE(call.fallback() || current->dim() == 0 || (def.backend == Backend::CPU && !call.device().is_cpu()),
                   errors::InvalidArgument(
                       "argument '%s': expected a tensor on %s like the others, got one on %s; move it with .to()",
                       name,
                       wanted.str(),
                       current->device().str()));
    replace(current->to(wanted), "copy to another device");
  }
  return *current;
}

InputList::InputList(at::TensorList tensors, Call& call, int index, const char* name, int flags) {
  // exact, so that what the pointers below point to stays
  elements_.reserve(tensors.size());
  dense_.reserve(tensors.size());
  meta_pointers_.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    const Element& element = elements_.emplace_back(tensor, call, index, name, flags);
    dense_.push_back(&element.input.dense());
    meta_pointers_.push_back(&element.meta);
  }
}

void OutTensorList::Bind(const char* argument, bool may_resize) {
  for (Element& element : elements_) element.tensor.Bind(argument, may_resize);
}

std::vector<at::Tensor> OutTensorList::Release(c10::Device device) {
  std::vector<at::Tensor> results;
  results.reserve(elements_.size());
  for (Element& element : elements_) results.push_back(element.tensor.Release(device));
  return results;
}

}  // namespace phi::torch_bridge
