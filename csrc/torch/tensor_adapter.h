// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include "core/dense_tensor.h"
#include "core/selected_rows.h"
#include "core/sparse_tensor.h"

// torch tensors as PHI's tensors and back.
namespace phi::torch_bridge {

// Shape, strides and data type of a torch tensor.
DenseTensorMeta MetaOf(const at::Tensor& tensor);
// Borrows the memory of `tensor`, which must outlive the result.
DenseTensor Borrow(const at::Tensor& tensor);
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
  // Checks the target against what InferMeta decided, and uses its memory if the strides agree.
  void Bind(const char* argument, bool may_resize);

  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override;
  // Takes over a finished result, of the shape and data type that InferMeta decided.
  void Assign(at::Tensor result);

  // The finished torch tensor, on `device` whatever the kernel ran on.
  at::Tensor Release(c10::Device device);

 private:
  at::Tensor tensor_;
  at::Tensor target_;
};

// Gives `out` the data of `result`, without a copy where that is possible.
void AssignResult(DenseTensor* out, at::Tensor result);

}  // namespace phi::torch_bridge
