// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/dense_tensor.h"
#include "torch/convert.h"

// torch tensors as PHI's dense tensors and back.
namespace phi::torch_bridge {

inline at::IntArrayRef Ref(const DDim& dims) { return {dims.Get(), static_cast<size_t>(dims.size())}; }

// Writes shape, strides and data type of a torch tensor to `result`, which gets no memory.
inline void BorrowMeta(const at::Tensor& tensor, DenseTensor* result) {
  const c10::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  const at::IntArrayRef sizes = impl.sizes();
  const at::IntArrayRef strides = impl.strides();
  DenseTensorMeta& meta = *result->mutable_meta();
  meta.dims.assign(sizes.data(), static_cast<int64_t>(sizes.size()));
  meta.strides.assign(strides.data(), static_cast<int64_t>(strides.size()));
  meta.dtype = ToPhi(c10::typeMetaToScalarType(impl.dtype()));
  meta.contiguous = impl.is_contiguous();
  meta.dense = meta.contiguous || impl.is_non_overlapping_and_dense();
  result->set_place(ToPhi(impl.device()));
}
// As BorrowMeta, and borrows the memory of `tensor`, which must outlive `result`.
inline void Borrow(const at::Tensor& tensor, DenseTensor* result) {
  BorrowMeta(tensor, result);
  result->Borrow(result->place(), const_cast<void*>(tensor.const_data_ptr()));
}
inline DenseTensor Borrow(const at::Tensor& tensor) {
  DenseTensor result;
  Borrow(tensor, &result);
  return result;
}
// A torch tensor on the memory of `tensor`; it keeps owned memory alive, borrowed memory must outlive it.
at::Tensor ToTorch(const DenseTensor& tensor);
// As Borrow, but the result keeps the torch tensor alive.
DenseTensor ToPhi(const at::Tensor& tensor);

}  // namespace phi::torch_bridge
