// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/tensor_base.h"

namespace phi {

// A strided tensor. It borrows memory (a torch tensor's, during a call) or owns it (a kernel's temporary).
class DenseTensor : public TensorBase {
 public:
  DenseTensor() = default;
  DenseTensor(const DenseTensorMeta& meta, const Place& place) : meta_(meta), place_(place) {}
  DenseTensor(const DenseTensorMeta& meta, const Place& place, void* borrowed)
      : meta_(meta), place_(place), data_(borrowed), initialized_(true) {}

  static constexpr TensorKind kKind = TensorKind::kDense;
  TensorKind kind() const final { return kKind; }
  const DDim& dims() const final { return meta_.dims; }
  int64_t numel() const final { return product(meta_.dims); }
  DataType dtype() const final { return meta_.dtype; }
  DataLayout layout() const final { return meta_.layout; }
  const Place& place() const final { return place_; }
  // whether there is memory; a tensor without elements that was allocated counts
  bool initialized() const final { return initialized_; }

  const DDim& strides() const { return meta_.strides; }
  const DenseTensorMeta& meta() const { return meta_; }
  DenseTensorMeta* mutable_meta() final { return &meta_; }
  void set_meta(const DenseTensorMeta& meta) { meta_ = meta; }
  void set_type(DataType dtype) { meta_.dtype = dtype; }
  void set_layout(DataLayout layout) { meta_.layout = layout; }
  void set_place(const Place& place) { place_ = place; }
  bool is_contiguous() const { return meta_.contiguous; }
  // Memory that someone else owns; the meta is set apart.
  void Borrow(const Place& place, void* data) {
    place_ = place;
    set_data(data);
  }

  // New dims, contiguous. The memory stays and must suffice, or is allocated by the context afterwards.
  DenseTensor& Resize(const DDim& dims) {
    meta_.dims = dims;
    SetContiguousStrides(dims, &meta_.strides);
    meta_.contiguous = meta_.dense = true;
    return *this;
  }

  const void* data() const { return data_; }
  void* data() { return data_; }
  template <typename T>
  const T* data() const {
    CheckType(CppTypeToDataType<T>::Type());
    return static_cast<const T*>(data_);
  }
  template <typename T>
  T* data() {
    CheckType(CppTypeToDataType<T>::Type());
    return static_cast<T*>(data_);
  }

  // Throws where a kernel reads elements of another type than these.
  void CheckType(DataType dtype) const {
    if (__builtin_expect(dtype != meta_.dtype, 0)) ThrowType(dtype);
  }

  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override;

  // Share the memory and the meta (as an assignment would), or the memory alone.
  DenseTensor& ShareDataWith(const DenseTensor& o);
  DenseTensor& ShareBufferWith(const DenseTensor& o);
  bool IsSharedBufferWith(const DenseTensor& o) const { return initialized_ && data_ == o.data_; }
  const std::shared_ptr<Allocation>& Holder() const { return holder_; }
  void ResetHolder(std::shared_ptr<Allocation> holder);

 protected:
  void set_data(void* data) {
    data_ = data;
    initialized_ = true;
  }

 private:
  [[noreturn]] void ThrowType(DataType dtype) const;

  DenseTensorMeta meta_;
  Place place_;
  void* data_ = nullptr;
  bool initialized_ = false;
  std::shared_ptr<Allocation> holder_;
};

}  // namespace phi
