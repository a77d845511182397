// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <memory>
#include <string>

#include "core/meta_tensor.h"

// Tensors without data for generated Meta functions, with symbolic sizes.
namespace phi::torch_bridge {

using SymInt = c10::SymInt;

namespace detail {
[[noreturn]] void ThrowNotMeta(const at::Tensor& tensor, const char* argument);
[[noreturn]] void ThrowTraced(const char* attribute, const char* kernel);
}  // namespace detail
// A kernel that `attribute` asks for makes tensors of a kind that traces do not know.
inline void CheckNotTraced(bool value, const char* attribute, const char* kernel) {
  if (value) detail::ThrowTraced(attribute, kernel);
}
// All tensors of a call on the device meta are there, but for numbers: tensors without dimensions. The fake tensors of
// a trace have devices that their own dispatch compares.
inline void CheckMeta(const at::Tensor& tensor, const char* argument) {
  if (!tensor.defined() || tensor.unsafeGetTensorImpl()->is_python_dispatch()) return;
  if (!tensor.is_meta() && tensor.dim() != 0) detail::ThrowNotMeta(tensor, argument);
}
inline void CheckMeta(const std::optional<at::Tensor>& tensor, const char* argument) {
  if (tensor) CheckMeta(*tensor, argument);
}
inline void CheckMeta(at::TensorList tensors, const char* argument) {
  for (const at::Tensor& tensor : tensors) CheckMeta(tensor, argument);
}
inline void CheckMeta(const std::optional<std::vector<at::Tensor>>& tensors, const char* argument) {
  if (tensors) CheckMeta(at::TensorList(*tensors), argument);
}

class SymInput {
 public:
  // `strided`: the op sees the strides; else its input counts as contiguous, as the eager call makes it.
  SymInput(const at::Tensor& tensor, bool strided);
  SymInput(const std::optional<at::Tensor>& tensor, bool strided) {
    if (tensor && tensor->defined()) *this = SymInput(*tensor, strided);
  }
  MetaTensor<SymInt> meta() const { return MetaTensor<SymInt>(data_.get()); }

 private:
  friend SymInput SymImages(const at::Tensor& tensor, const std::string& data_format);
  std::shared_ptr<TensorMeta<SymInt>> data_;
};

// Images, which keep channels that are last in memory, as the eager call does. `data_format` is the order of the shape.
SymInput SymImages(const at::Tensor& tensor, const std::string& data_format);

class SymInputList {
 public:
  SymInputList(at::TensorList tensors, bool strided);
  SymInputList(const std::optional<std::vector<at::Tensor>>& tensors, bool strided)
      : SymInputList(tensors ? at::TensorList(*tensors) : at::TensorList(), strided) {}
  const std::vector<const MetaTensor<SymInt>*>& metas() const { return pointers_; }

 private:
  std::vector<SymInput> inputs_;
  std::vector<MetaTensor<SymInt>> metas_;
  std::vector<const MetaTensor<SymInt>*> pointers_;
};

class SymOutput {
 public:
  MetaTensor<SymInt> meta() { return MetaTensor<SymInt>(&data_); }
  at::Tensor Make() const;
  // For in-place and out= calls: what OutTensor::Check and Bind do.
  void CheckTarget(const at::Tensor& target, const char* argument, bool may_resize) const;
  void BindTarget(const at::Tensor& target, const char* argument, bool may_resize) const;

 private:
  TensorMeta<SymInt> data_;
};

class SymOutputList {
 public:
  explicit SymOutputList(size_t size);
  const std::vector<MetaTensor<SymInt>*>& metas() const { return pointers_; }
  std::vector<at::Tensor> Make() const;
  void CheckTarget(at::TensorList targets, const char* argument, bool may_resize) const;
  void BindTarget(at::TensorList targets, const char* argument, bool may_resize) const;

 private:
  std::vector<SymOutput> outputs_;
  std::vector<MetaTensor<SymInt>> metas_;
  std::vector<MetaTensor<SymInt>*> pointers_;
};

}  // namespace phi::torch_bridge
