// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/dense_tensor.h"
#include "core/selected_rows.h"
#include "core/sparse_tensor.h"
#include "torch/convert.h"

// torch tensors as PHI's tensors and back.
namespace phi::torch_bridge {

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

// hybrid COO with one sparse dimension <-> SelectedRows
SelectedRows ToSelectedRows(const at::Tensor& tensor);
at::Tensor ToTorch(const SelectedRows& rows);
SparseCooTensor ToSparseCoo(const at::Tensor& tensor);
at::Tensor ToTorch(const SparseCooTensor& tensor);
SparseCsrTensor ToSparseCsr(const at::Tensor& tensor);
at::Tensor ToTorch(const SparseCsrTensor& tensor);

// An output of a call: a DenseTensor whose memory is that of a torch tensor, made when the kernel asks for it.
class OutTensor final : public DenseTensor {
 public:
  OutTensor() { mutable_meta()->dtype = DataType::UNDEFINED; }

  // The result goes to `target` (an in-place or out= call). Call Bind after InferMeta.
  explicit OutTensor(at::Tensor target) : OutTensor() { target_ = std::move(target); }
  // Checks the target against what InferMeta decided, and uses its memory if the strides agree. A target that shares
  // its storage with another argument may not be resized: that would free or move what the kernel reads.
  void Bind(const char* argument, bool may_resize);

  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override;
  // Takes over a finished result, of the shape and data type that InferMeta decided.
  void Assign(at::Tensor result);

  // The finished torch tensor, on `place` whatever the kernel ran on.
  at::Tensor Release(const Place& place) {
    if (__builtin_expect(!target_.defined() && tensor_.defined(), 1) && this->place() == place) {
      return std::move(tensor_);
    }
    return ReleaseSlow(place);
  }

 private:
  at::Tensor ReleaseSlow(const Place& place);

  at::Tensor tensor_;
  at::Tensor target_;
  bool may_resize_ = false;
};

// A tensor that is to be written does not fit the result.
[[noreturn]] void ThrowTargetType(const char* argument, DataType expected, const at::Tensor& target);
[[noreturn]] void ThrowTargetShape(const char* argument,
                                   const enforce::Printable& expected,
                                   const enforce::Printable& got);

// A CPU tensor of these sizes on the memory of one element, whose value is unspecified.
at::Tensor EmptyExpanded(at::IntArrayRef sizes, at::ScalarType dtype);

// Gives `out` the data of `result`, without a copy where that is possible.
void AssignResult(DenseTensor* out, at::Tensor result);

}  // namespace phi::torch_bridge
