// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/SmallVector.h>

#include <memory>
#include <typeinfo>

#include "api/op_site.h"
#include "api/trace.h"
#include "core/device_context.h"
#include "core/kernel_utils.h"
#include "core/meta_tensor.h"
#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/tensor_adapter.h"

// The hand-written half of a generated API function: key, selection, data transform, the call of the kernel.
namespace phi::torch_bridge {

// Builds the KernelKey as PHI does: the highest backend among the inputs, the dtype of the last one.
class KeyBuilder {
 public:
  void Add(const at::Tensor& tensor, const char* name);
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
  void SetBackend(const Place& place, const char* name);
  void SetDataType(DataType dtype, const char* name);

  Backend backend() const { return backend_; }
  DataType dtype() const { return dtype_; }
  c10::Device device() const { return device_; }
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  void Note(const char* part, const char* name);

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
  Call(const OpSite& site, const KeyBuilder& key);

  const char* op() const { return site_.op(); }
  const Kernel& kernel() const { return *result_.kernel; }
  const DeviceContext& context() const { return *context_; }
  // the device of the results
  c10::Device device() const { return device_; }
  bool fallback() const { return result_.has_fallback_cpu; }
  bool takes_strides() const { return result_.is_stride_kernel; }
  CallRecord* record() { return record_.get(); }

  // Fn is the normalised function type: void(const DeviceContext&, ...).
  template <typename Fn, typename... Args>
  void Run(Args&&... args) {
    if (__builtin_expect(record_ != nullptr, 0)) Observe(*record_);
    kernel().GetVariadicKernelFn<Fn*>()(*context_, std::forward<Args>(args)...);
  }

 private:
  const OpSite& site_;
  const KernelResult& result_;
  c10::Device device_;
  c10::OptionalDeviceGuard guard_;
  const DeviceContext* context_;
  std::unique_ptr<CallRecord> record_;  // null unless observed
};

// An input, transformed to what the kernel wants. Borrows the torch tensor, or owns the transformed one.
class Input {
 public:
  Input(const at::Tensor& tensor, Call& call, int index, const char* name, int flags) {
    const at::Tensor& ready = Prepare(tensor, call, index, name, flags);
    dense_ = flags & kNoBuffer ? DenseTensor(MetaOf(ready), phi::torch_bridge::ToPhi(ready.device())) : Borrow(ready);
  }
  operator const DenseTensor&() const { return dense_; }  // NOLINT
  const DenseTensor& dense() const { return dense_; }
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(dense_); }

 private:
  const at::Tensor& Prepare(const at::Tensor& tensor, Call& call, int index, const char* name, int flags) {
    const TensorArgDef& def = call.kernel().args_def().input_defs()[index];
    const bool fits = (tensor.is_contiguous() || (flags & (kStrided | kNoBuffer)) || call.takes_strides()) &&
                      tensor.device() == call.device() && !call.fallback() && !(flags & kTransDtype) &&
                      !IsComplexType(def.dtype);
    if (__builtin_expect(fits && !tensor.is_conj() && !tensor.is_neg(), 1)) return tensor;
    return Transform(tensor, call, def, name, flags);
  }
  const at::Tensor& Transform(
      const at::Tensor& tensor, Call& call, const TensorArgDef& def, const char* name, int flags);

  at::Tensor owned_;
  DenseTensor dense_;
};

class OptionalInput {
 public:
  OptionalInput(const std::optional<at::Tensor>& tensor, Call& call, int index, const char* name, int flags) {
    if (!tensor || !tensor->defined()) return;
    input_.emplace(*tensor, call, index, name, flags);
    dense_ = input_->dense();
  }
  operator const paddle::optional<DenseTensor>&() const { return dense_; }  // NOLINT
  MetaTensor<int64_t> meta() const { return dense_ ? MetaTensor<int64_t>(*dense_) : MetaTensor<int64_t>(); }

 private:
  std::optional<Input> input_;
  paddle::optional<DenseTensor> dense_;
};

class InputList {
 public:
  InputList(at::TensorList tensors, Call& call, int index, const char* name, int flags);
  operator const std::vector<const DenseTensor*>&() const { return dense_; }  // NOLINT
  const std::vector<const MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }

 private:
  c10::SmallVector<std::unique_ptr<Input>, 4> inputs_;
  std::vector<const DenseTensor*> dense_;
  std::vector<MetaTensor<int64_t>> metas_;
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

// An input of the class SelectedRows, from a hybrid COO tensor.
class SelectedRowsInput {
 public:
  explicit SelectedRowsInput(const at::Tensor& tensor) : rows_(ToSelectedRows(tensor)) {}
  operator const SelectedRows&() const { return rows_; }  // NOLINT
  MetaTensor<int64_t> meta() const { return MetaTensor<int64_t>(rows_.value()); }

 private:
  SelectedRows rows_;
};

// The outputs of an output `Tensor[]`.
class OutTensorList {
 public:
  explicit OutTensorList(size_t size);
  // The results go to `targets`, as in OutTensor; an absent list gives none.
  explicit OutTensorList(at::TensorList targets);
  explicit OutTensorList(const std::optional<std::vector<at::Tensor>>& targets)
      : OutTensorList(targets ? at::TensorList(*targets) : at::TensorList()) {}
  void Bind(const char* argument, bool may_resize);
  const std::vector<MetaTensor<int64_t>*>& metas() const { return meta_pointers_; }
  const std::vector<DenseTensor*>& pointers() const { return pointers_; }
  std::vector<at::Tensor> Release(c10::Device device);

 private:
  void Add(std::unique_ptr<OutTensor> tensor);

  std::vector<std::unique_ptr<OutTensor>> tensors_;
  std::vector<MetaTensor<int64_t>> metas_;
  std::vector<MetaTensor<int64_t>*> meta_pointers_;
  std::vector<DenseTensor*> pointers_;
};

// The typed signature of a normalised function type, as KernelImpl records it.
template <typename Fn>
const char* TypedSignature() {
  return typeid(Fn*).name();
}

}  // namespace phi::torch_bridge
