// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <memory>

#include "core/meta_tensor.h"

// Tensors without data for generated Meta functions, with symbolic sizes.
namespace phi::torch_bridge {

using SymInt = c10::SymInt;

class SymInput {
 public:
  // `strided`: the op sees the strides; else its input counts as contiguous, as the eager call makes it.
  SymInput(const at::Tensor& tensor, bool strided);
  SymInput(const std::optional<at::Tensor>& tensor, bool strided) {
    if (tensor && tensor->defined()) *this = SymInput(*tensor, strided);
  }
  MetaTensor<SymInt> meta() const { return MetaTensor<SymInt>(data_.get()); }

 private:
  std::shared_ptr<TensorMeta<SymInt>> data_;
};

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
  // For in-place and out= calls.
  void CheckInplace(const at::Tensor& target, const char* argument) const;
  void Resize(const at::Tensor& target, const char* argument) const;

 private:
  TensorMeta<SymInt> data_;
};

class SymOutputList {
 public:
  explicit SymOutputList(size_t size);
  const std::vector<MetaTensor<SymInt>*>& metas() const { return pointers_; }
  std::vector<at::Tensor> Make() const;
  void CheckInplace(at::TensorList targets, const char* argument) const;

 private:
  std::vector<SymOutput> outputs_;
  std::vector<MetaTensor<SymInt>> metas_;
  std::vector<MetaTensor<SymInt>*> pointers_;
};

}  // namespace phi::torch_bridge
