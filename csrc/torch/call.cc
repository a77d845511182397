// SPDX-License-Identifier: Apache-2.0
#include "torch/call.h"

#include "core/device_context_pool.h"

namespace phi::torch_bridge {

namespace {

DataType PromoteComplex(DataType seen, DataType next) {
  if (seen == DataType::COMPLEX128 || next == DataType::COMPLEX128) return DataType::COMPLEX128;
  if (seen == DataType::COMPLEX64) return next == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  if (next == DataType::COMPLEX64) return seen == DataType::FLOAT64 ? DataType::COMPLEX128 : DataType::COMPLEX64;
  return next;
}

}  // namespace

void KeyBuilder::Note(const char* part, const char* name) {
  if (IsObserved()) sources_.push_back(std::string(part) + " from " + name);
}

void KeyBuilder::Add(const at::Tensor& tensor, const char* name) {
  const Place place = ToPhi(tensor.device());
  const Backend backend = PlaceToBackend(place);
  if (backend > backend_) {
    backend_ = backend;
    device_ = tensor.device();
    Note("backend", name);
  }
  dtype_ = PromoteComplex(dtype_, ToPhi(tensor.scalar_type()));
  Note("dtype", name);
}

void KeyBuilder::SetBackend(const Place& place, const char* name) {
  backend_ = PlaceToBackend(place);
  device_ = torch_bridge::ToTorch(place);
  Note("backend", name);
}

void KeyBuilder::SetDataType(DataType dtype, const char* name) {
  dtype_ = dtype;
  Note("dtype", name);
}

Call::Call(const OpSite& site, const KeyBuilder& builder)
    : site_(site),
      result_(site.kernels().Select(KernelKey(builder.backend(), DataLayout::ALL_LAYOUT, builder.dtype()))),
      device_(builder.device()),
      guard_(device_.is_cpu() ? std::nullopt : std::optional<c10::Device>(device_)),
      context_(DeviceContextPool::Instance().Get(result_.has_fallback_cpu ? CPUPlace() : ToPhi(builder.device()))) {
  const KernelKey key(builder.backend(), DataLayout::ALL_LAYOUT, builder.dtype());
  if (result_.has_fallback_cpu) site.WarnFallback(key);
  if (__builtin_expect(IsObserved(), 0)) {
    record_ = std::make_unique<CallRecord>();
    record_->op = site.op();
    record_->kernel_name = site.kernels().name();
    record_->key = key;
    record_->sources = builder.sources();
    record_->result = SelectKernelOrThrowError(site.kernels(), key, true, &record_->steps);
  }
}

const at::Tensor& Input::Transform(
    const at::Tensor& tensor, Call& call, const TensorArgDef& def, const char* name, int flags) {
  const auto note = [&](const char* what) {
    if (call.record()) call.record()->transforms.push_back({name, what});
  };
  const at::Tensor* current = &tensor;
  const auto replace = [&](at::Tensor with, const char* what) {
    owned_ = std::move(with);
    current = &owned_;
    note(what);
  };
  if (flags & kSkipTransform) return tensor;
  if (tensor.is_conj() || tensor.is_neg())
    replace(current->resolve_conj().resolve_neg(), "resolve conjugate or negative view");
  if (!(flags & (kStrided | kNoBuffer)) && !call.takes_strides() && !current->is_contiguous()) {
    replace(current->contiguous(), "make contiguous");
  }
  const DataType dtype = torch_bridge::ToPhi(current->scalar_type());
  const bool to_complex = IsComplexType(def.dtype) && !IsComplexType(dtype) && IsFloatingType(dtype);
  if (def.dtype != DataType::ALL_DTYPE && def.dtype != dtype && ((flags & kTransDtype) || to_complex)) {
    replace(current->to(torch_bridge::ToTorch(def.dtype)), "cast");
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
  metas_.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) {
    inputs_.push_back(std::make_unique<Input>(tensor, call, index, name, flags));
    dense_.push_back(&inputs_.back()->dense());
    metas_.push_back(inputs_.back()->meta());
  }
  for (const auto& meta : metas_) meta_pointers_.push_back(&meta);
}

OutTensorList::OutTensorList(size_t size) {
  metas_.reserve(size);
  for (size_t i = 0; i < size; ++i) Add(std::make_unique<OutTensor>());
}

OutTensorList::OutTensorList(at::TensorList targets) {
  metas_.reserve(targets.size());
  for (const at::Tensor& target : targets) Add(std::make_unique<OutTensor>(target));
}

void OutTensorList::Add(std::unique_ptr<OutTensor> tensor) {
  metas_.emplace_back(tensor.get());
  meta_pointers_.push_back(&metas_.back());
  pointers_.push_back(tensor.get());
  tensors_.push_back(std::move(tensor));
}

void OutTensorList::Bind(const char* argument, bool may_resize) {
  for (auto& tensor : tensors_) tensor->Bind(argument, may_resize);
}

std::vector<at::Tensor> OutTensorList::Release(c10::Device device) {
  std::vector<at::Tensor> results;
  results.reserve(tensors_.size());
  for (auto& tensor : tensors_) results.push_back(tensor->Release(device));
  return results;
}

}  // namespace phi::torch_bridge
