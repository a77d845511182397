// SPDX-License-Identifier: Apache-2.0
#include "core/dense_tensor.h"

namespace phi {

void* DenseTensor::AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) {
  const size_t needed = std::max(static_cast<size_t>(numel()) * SizeOf(dtype), requested);
  const size_t available = holder_ ? holder_->size() : static_cast<size_t>(numel()) * SizeOf(meta_.dtype);
  meta_.dtype = dtype;
  if (initialized_ && place_ == place && needed <= available) return data_;
  ResetHolder(allocator->Allocate(needed));
  return data_;
}

DenseTensor& DenseTensor::ShareDataWith(const DenseTensor& o) {
  meta_ = o.meta_;
  return ShareBufferWith(o);
}

DenseTensor& DenseTensor::ShareBufferWith(const DenseTensor& o) {
  holder_ = o.holder_;
  data_ = o.data_;
  place_ = o.place_;
  initialized_ = o.initialized_;
  return *this;
}

void DenseTensor::ResetHolder(std::shared_ptr<Allocation> holder) {
  holder_ = std::move(holder);
  place_ = holder_->place();
  set_data(holder_->ptr());
}

}  // namespace phi
