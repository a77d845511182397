// SPDX-License-Identifier: Apache-2.0
#include "core/dense_tensor.h"

#include <stdexcept>

namespace phi {
namespace {

// An expanded tensor may have more elements than any memory holds.
size_t Bytes(const DDim& dims, DataType dtype) {
  size_t bytes = SizeOf(dtype);
  for (const int64_t d : dims) {
    if (d == 0) return 0;
  }
  for (const int64_t d : dims) {
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(d), &bytes) || bytes > PTRDIFF_MAX) {
      throw std::length_error("more bytes than an address can count");
    }
  }
  return bytes;
}

}  // namespace

void* DenseTensor::AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) {
  // what is borrowed has just the bytes of the meta
  if (initialized_ && !holder_ && requested == 0 && dtype == meta_.dtype && place_ == place) return data_;
  const size_t needed = std::max(Bytes(meta_.dims, dtype), requested);
  const size_t available = holder_ ? holder_->size() : Bytes(meta_.dims, meta_.dtype);
  meta_.dtype = dtype;
  if (initialized_ && place_ == place && needed <= available) return data_;
  ResetHolder(allocator->Allocate(needed));
  return data_;
}

void DenseTensor::ThrowType(DataType dtype) const {
  PADDLE_THROW(errors::InvalidType(
      "the kernel reads a tensor as %s, but its data type is %s", DataTypeName(dtype), DataTypeName(meta_.dtype)));
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
