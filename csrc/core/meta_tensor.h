// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"
#include "core/tensor_meta.h"

namespace phi {

// What an InferMeta function sees of a tensor. It refers to the meta of a tensor of any class (Dim = int64_t) or to
// that of a tensor that torch traces (Dim = c10::SymInt). A default-made one stands for an absent optional tensor.
template <class Dim>
class MetaTensor {
 public:
  MetaTensor() = default;
  explicit MetaTensor(TensorMeta<Dim>* meta) : meta_(meta) {}
  explicit MetaTensor(DenseTensor* tensor)
    requires std::is_same_v<Dim, int64_t>
      : meta_(tensor ? tensor->mutable_meta() : nullptr) {}
  explicit MetaTensor(const DenseTensor& tensor)
    requires std::is_same_v<Dim, int64_t>
      : meta_(const_cast<DenseTensor&>(tensor).mutable_meta()) {}

  explicit MetaTensor(TensorBase* tensor)
    requires std::is_same_v<Dim, int64_t>
      : meta_(tensor ? tensor->mutable_meta() : nullptr) {}
  explicit MetaTensor(const TensorBase& tensor)
    requires std::is_same_v<Dim, int64_t>
      : meta_(const_cast<TensorBase&>(tensor).mutable_meta()) {}

  bool initialized() const { return meta_ != nullptr; }
  explicit operator bool() const { return initialized(); }
  const BasicDDim<Dim>& dims() const { return meta_->dims; }
  const Dim& dims(int i) const { return meta_->dims[i]; }
  Dim numel() const { return product(meta_->dims); }
  DataType dtype() const { return meta_->dtype; }
  DataLayout layout() const { return meta_->layout; }
  const BasicDDim<Dim>& strides() const { return meta_->strides; }
  bool is_contiguous() const { return meta_->contiguous; }
  // dense and non-overlapping, in whatever order of dimensions
  bool is_dense() const { return meta_->dense; }
  bool is_same_tensor(const MetaTensor& o) const { return meta_ == o.meta_; }

  // Sets the shape; the tensor becomes contiguous.
  void set_dims(const BasicDDim<Dim>& dims) {
    meta_->dims = dims;
    meta_->contiguous = meta_->dense = true;
    if constexpr (std::is_same_v<Dim, int64_t>) SetContiguousStrides(dims, &meta_->strides);
  }
  void set_dtype(DataType dtype) { meta_->dtype = dtype; }
  void set_layout(DataLayout layout) { meta_->layout = layout; }
  // Shape and strides of `o`, so that channels_last stays; contiguous when `o` has holes or overlaps.
  void share_dims_and_strides(const MetaTensor& o) {
    if (o.meta_->contiguous || !o.meta_->dense) return set_dims(o.dims());
    meta_->dims = o.meta_->dims;
    meta_->strides = o.meta_->strides;
    meta_->contiguous = false;
    meta_->dense = true;
  }
  void share_dims(const MetaTensor& o) { set_dims(o.dims()); }
  void share_meta(const MetaTensor& o) {
    share_dims_and_strides(o);
    meta_->dtype = o.meta_->dtype;
    meta_->layout = o.meta_->layout;
  }
  void share_lod(const MetaTensor&) {}

 private:
  TensorMeta<Dim>* meta_ = nullptr;
};

}  // namespace phi
