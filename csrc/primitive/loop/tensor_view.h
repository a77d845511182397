// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi::primitive {

// The memory of `tensor`, which must outlive the view, from element `offset` on, with another shape and other strides.
inline DenseTensor ViewOf(const DenseTensor& tensor, const DDim& dims, const DDim& strides, int64_t offset = 0) {
  DenseTensorMeta meta = tensor.meta();
  meta.dims = dims;
  meta.strides = strides;
  meta.contiguous = meta.dense = strides == contiguous_strides(dims);
  char* data = static_cast<char*>(const_cast<void*>(tensor.data()));
  return DenseTensor(meta, tensor.place(), data + offset * static_cast<int64_t>(SizeOf(tensor.dtype())));
}

// The memory of a contiguous tensor from element `offset` on, as a contiguous tensor of the shape `dims`.
inline DenseTensor ViewOf(const DenseTensor& tensor, const DDim& dims, int64_t offset = 0) {
  DenseTensorMeta meta;
  meta.dims = dims;
  meta.strides = contiguous_strides(dims);
  meta.dtype = tensor.dtype();
  char* data = static_cast<char*>(const_cast<void*>(tensor.data()));
  return DenseTensor(meta, tensor.place(), data + offset * static_cast<int64_t>(SizeOf(tensor.dtype())));
}

// A new tensor of the shape `dims`.
template <typename T, typename Context>
DenseTensor EmptyTensor(const Context& dev_ctx, const DDim& dims) {
  DenseTensor tensor;
  tensor.Resize(dims);
  dev_ctx.template Alloc<T>(&tensor);
  return tensor;
}

}  // namespace phi::primitive
