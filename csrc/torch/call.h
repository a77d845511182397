// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/SmallVector.h>

#include <memory>

#include "api/op_site.h"
#include "api/trace.h"
#include "core/device_context_pool.h"
#include "core/meta_tensor.h"
#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/tensor_adapter.h"

// The hand-written half of a generated API function: key, selection, data transform, the call of the kernel.
namespace phi::torch_bridge {

// Builds the KernelKey as PHI does: the highest backend among the inputs, the dtype of the last one.
class KeyBuilder {
 public:
  void Add(const at::Tensor& tensor, const char* name) {
    const c10::Device device = tensor.device();
    const Backend backend = PlaceToBackend(ToPhi(device));
    if (backend > backend_) {
      backend_ = backend;
      device_ = device;
      Note("backend", name);
    }
    dtype_ = PromoteComplex(dtype_, torch_bridge::ToPhi(tensor.scalar_type()));
    Note("dtype", name);
  }
  void Add(const std::optional<at::Tensor>& tensor, const char* name) {
    if (tensor && tensor->defined()) Add(*tensor, name);
  }
  // only the first element counts, as in PHI
  void Add(at::TensorList tensors, const char* name) {
    if (!tensors.empty()) Add(tensors[0], name);
  }
  void Add(const std::optional<std::vector<at::Tensor>>& tensors, const char* name) {
    if (tensors) Add(at::TensorList(*tensors), name);
  }
  void SetBackend(const Place& place, const char* name) {
    backend_ = PlaceToBackend(place);
    device_ = torch_bridge::ToTorch(place);
    Note("backend", name);
  }
  void SetDataType(DataType dtype, const char* name) {
    dtype_ = dtype;
    Note("dtype", name);
  }

  KernelKey key() const { return KernelKey(backend_, DataLayout::ALL_LAYOUT, dtype_); }
  c10::Device device() const { return device_; }
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  static DataType PromoteComplex(DataType seen, DataType next) {
    return __builtin_expect(IsComplexType(seen) || IsComplexType(next), 0) ? PromoteComplexSlow(seen, next) : next;
  }
  static DataType PromoteComplexSlow(DataType seen, DataType next);
  void Note(const char* part, const char* name) {
    if (IsObserved()) NoteSlow(part, name);
  }
  void NoteSlow(const char* part, const char* name);

  Backend backend_ = Backend::UNDEFINED;
  DataType dtype_ = DataType::UNDEFINED;
  c10::Device device_{c10::kCPU};
  std::vector<std::string> sources_;  // filled only for an observed call
};

// The tensor of a list that decides the key.
inline const at::Tensor& First(at::TensorList tensors, const char* name) {
  PADDLE_ENFORCE(!tensors.empty(),
                 errors::InvalidArgument("argument '%s': expected at least one tensor, got an empty list", name));
  return tensors[0];
}

// What an argument allows, from the YAML.
enum InputFlags : int {
  kContiguous = 0,
  kStrided = 1,        // the kernel takes any strides
  kSkipTransform = 2,  // data_transform.skip_transform
  kTransDtype = 4,     // data_transform.support_trans_dtype
  kNoBuffer = 8,       // only the shape is read
};

// The kernel that was selected, and where it runs.
class Call {
 public:
  Call(const OpSite& site, const KeyBuilder& key)
      : site_(site), result_(site.kernels().Select(key.key())), device_(key.device()) {
    if (__builtin_expect(device_.is_cpu() && !IsObserved(), 1)) {
      context_ = DeviceContextPool::Instance().Get(CPUPlace());
    } else {
      Prepare(key);
    }
  }

  const char* op() const { return site_.op(); }
  const Kernel& kernel() const { return *result_.kernel; }
  const DeviceContext& context() const { return *context_; }
  // the device of the results
  c10::Device device() const { return device_; }
  bool fallback() const { return result_.has_fallback_cpu; }
  bool takes_strides() const { return result_.is_stride_kernel; }
  bool takes_inputs_as_they_are() const { return result_.takes_inputs_as_they_are; }
  CallRecord* record() { return record_.get(); }

  // Fn is the normalised function type: void(const DeviceContext&, ...).
  template <typename Fn, typename... Args>
  void Run(Args&&... args) {
    if (__builtin_expect(record_ != nullptr, 0)) Observe(*record_);
    if (__builtin_expect(kernel().is_functor(), 0)) {
      return SignatureOf<Fn>::CallBoxed(kernel(), *context_, std::forward<Args>(args)...);
    }
    kernel().GetVariadicKernelFn<Fn*>()(*context_, std::forward<Args>(args)...);
  }

 private:
  // The rest for other devices, a CPU fallback, and an observed call.
  void Prepare(const KeyBuilder& key);

  const OpSite& site_;
  const KernelResult& result_;
  c10::Device device_;
  c10::OptionalDeviceGuard guard_;
  const DeviceContext* context_ = nullptr;
  std::unique_ptr<CallRecord> record_;  // null unless observed
};

// A contiguous copy of a strided tensor, without autograd.
at::Tensor Contiguous(const at::Tensor& tensor);

// `tensor` as the kernel wants it: itself, or a transformed copy that is kept in `owned`.
const at::Tensor& Transform(
    const at::Tensor& tensor, Call& call, int index, const char* name, int flags, at::Tensor* owned);

inline const at::Tensor& Prepare(
    const at::Tensor& tensor, Call& call, int index, const char* name, int flags, at::Tensor* owned) {
  const bool fits = call.takes_inputs_as_they_are() && !(flags & kTransDtype) && tensor.device() == call.device() &&
                    ((flags & (kStrided | kNoBuffer)) || tensor.is_contiguous() || call.takes_strides()) &&
                    !tensor.is_conj() && !tensor.is_neg();
  return __builtin_expect(fits, 1) ? tensor : Transform(tensor, call, index, name, flags, owned);
}

inline void BorrowInput(const at::Tensor& tensor, int flags, DenseTensor* dense) {
  flags& kNoBuffer ? BorrowMeta(tensor, dense) : Borrow(tensor, dense);
}

// An input. Borrows the torch tensor, or owns the transformed one.
class Input {
 public:
  Input(const at::Tensor& tensor, Call& call, int index, const char* name, int flags) {
    BorrowInput(Prepare(tensor, call, index, name, flags, &owned_), flags, &dense_);
  }
  operator const DenseTensor&() const { return dense_; }  // NOLINT
  const DenseTensor& dense() const { return dense_; }
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(dense_); }

 private:
  at::Tensor owned_;
  DenseTensor dense_;
};

class OptionalInput {
 public:
  OptionalInput(const std::optional<at::Tensor>& tensor, Call& call, int index, const char* name, int flags) {
    if (!tensor || !tensor->defined()) return;
    BorrowInput(Prepare(*tensor, call, index, name, flags, &owned_), flags, &dense_.emplace());
  }
  operator const paddle::optional<DenseTensor>&() const { return dense_; }  // NOLINT
  MetaTensor<int64_t> meta() const { return dense_ ? MetaTensor<int64_t>(*dense_) : MetaTensor<int64_t>(); }

 private:
  at::Tensor owned_;
  paddle::optional<DenseTensor> dense_;
};

class InputList {
 public:
  InputList(at::TensorList tensors, Call& call, int index, const char* name, int flags);
  operator const std::vector<const DenseTensor*>&() const { return dense_; }  // NOLINT
  const std::vector<const MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }

 private:
  struct Element {
    Element(const at::Tensor& tensor, Call& call, int index, const char* name, int flags)
        : input(tensor, call, index, name, flags), meta(input.meta()) {}
    Input input;
    MetaTensor<int64_t> meta;
  };
  c10::SmallVector<Element, 4> elements_;
  std::vector<const DenseTensor*> dense_;
  std::vector<const MetaTensor<int64_t>*> meta_pointers_;
};

class OptionalInputList {
 public:
  OptionalInputList(
      const std::optional<std::vector<at::Tensor>>& tensors, Call& call, int index, const char* name, int flags) {
    if (!tensors) return;
    list_.emplace(*tensors, call, index, name, flags);
    dense_ = static_cast<const std::vector<const DenseTensor*>&>(*list_);
  }
  operator const paddle::optional<std::vector<const DenseTensor*>>&() const { return dense_; }  // NOLINT
  std::vector<const MetaTensor<int64_t>*> metas() const {
    return list_ ? list_->metas() : std::vector<const MetaTensor<int64_t>*>();
  }

 private:
  std::optional<InputList> list_;
  paddle::optional<std::vector<const DenseTensor*>> dense_;
};

// An input of the class SelectedRows, from a hybrid COO tensor: each row once, since rows that occur twice add up.
class SelectedRowsInput {
 public:
  explicit SelectedRowsInput(const at::Tensor& tensor) : rows_(ToSelectedRows(tensor.coalesce())) {}
  operator const SelectedRows&() const { return rows_; }  // NOLINT
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(rows_.value()); }

 private:
  SelectedRows rows_;
};

// The outputs of an output `Tensor[]`.
class OutTensorList {
 public:
  explicit OutTensorList(size_t size) {
    Reserve(size);
    for (size_t i = 0; i < size; ++i) Add(at::Tensor());
  }
  // The results go to `targets`, as in OutTensor; an absent list gives none.
  explicit OutTensorList(at::TensorList targets) {
    Reserve(targets.size());
    for (const at::Tensor& target : targets) Add(target);
  }
  explicit OutTensorList(const std::optional<std::vector<at::Tensor>>& targets)
      : OutTensorList(targets ? at::TensorList(*targets) : at::TensorList()) {}
  void Bind(const char* argument, bool may_resize);
  const std::vector<MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }
  const std::vector<DenseTensor*>& pointers() const { return pointers_; }
  std::vector<at::Tensor> Release(c10::Device device);

 private:
  struct Element {
    explicit Element(const at::Tensor& target) : tensor(target) {}
    OutTensor tensor;
    MetaTensor<int64_t> meta{&tensor};
  };
  void Reserve(size_t size) {
    elements_.reserve(size);  // exact, so that what the pointers below point to stays
    meta_pointers_.reserve(size);
    pointers_.reserve(size);
  }
  void Add(const at::Tensor& target) {
    Element& element = elements_.emplace_back(target);
    meta_pointers_.push_back(&element.meta);
    pointers_.push_back(&element.tensor);
  }

  std::vector<Element> elements_;
  std::vector<MetaTensor<int64_t>*> meta_pointers_;
  std::vector<DenseTensor*> pointers_;
};

}  // namespace phi::torch_bridge
