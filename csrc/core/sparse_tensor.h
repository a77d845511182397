// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

// State that both sparse classes have: a logical shape and the non-zero elements.
class SparseTensorBase : public TensorBase {
 public:
  const DDim& dims() const override { return meta_.dims; }
  int64_t numel() const override { return product(meta_.dims); }
  DataType dtype() const override { return meta_.dtype; }
  const Place& place() const override { return values_.place(); }
  bool initialized() const override { return values_.initialized(); }
  DenseTensorMeta* mutable_meta() override { return &meta_; }
  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override {
    return values_.AllocateFrom(allocator, place, dtype, requested);
  }

  const DenseTensor& values() const { return values_; }
  DenseTensor* mutable_values() { return &values_; }
  int64_t nnz() const { return values_.dims().size() == 0 ? 0 : values_.dims()[0]; }

 protected:
  SparseTensorBase() = default;
  SparseTensorBase(const DenseTensor& values, const DDim& dims) : values_(values) {
    meta_.dims = dims;
    meta_.dtype = values.dtype();
  }

 private:
  DenseTensor values_;
  DenseTensorMeta meta_;  // of the whole tensor
};

// indices [sparse_dim, nnz] of int64, values [nnz, dense dims...].
class SparseCooTensor : public SparseTensorBase {
 public:
  SparseCooTensor() = default;
  SparseCooTensor(const DenseTensor& indices, const DenseTensor& values, const DDim& dims, bool coalesced = false)
      : SparseTensorBase(values, dims), indices_(indices), coalesced_(coalesced) {}

  static constexpr TensorKind kKind = TensorKind::kSparseCoo;
  TensorKind kind() const override { return kKind; }
  DataLayout layout() const override { return DataLayout::SPARSE_COO; }
  const DenseTensor& indices() const { return indices_; }
  DenseTensor* mutable_indices() { return &indices_; }
  bool coalesced() const { return coalesced_; }
  void SetCoalesced(bool coalesced) { coalesced_ = coalesced; }
  int32_t sparse_dim() const { return static_cast<int32_t>(indices_.dims()[0]); }
  int32_t dense_dim() const { return values().dims().size() - 1; }

 private:
  DenseTensor indices_;
  bool coalesced_ = false;
};

// crows [batch * (rows + 1)], cols [nnz], values [nnz]; a matrix or a batch of matrices.
class SparseCsrTensor : public SparseTensorBase {
 public:
  SparseCsrTensor() = default;
  SparseCsrTensor(const DenseTensor& crows, const DenseTensor& cols, const DenseTensor& values, const DDim& dims)
      : SparseTensorBase(values, dims), crows_(crows), cols_(cols) {}

  static constexpr TensorKind kKind = TensorKind::kSparseCsr;
  TensorKind kind() const override { return kKind; }
  DataLayout layout() const override { return DataLayout::SPARSE_CSR; }
  const DenseTensor& crows() const { return crows_; }
  const DenseTensor& cols() const { return cols_; }
  DenseTensor* mutable_crows() { return &crows_; }
  DenseTensor* mutable_cols() { return &cols_; }

 private:
  DenseTensor crows_;
  DenseTensor cols_;
};

// Makes `out` have the pattern of x, whose indices it shares, and room for as many values; they may be one.
void CopyPatternOf(const SparseCooTensor& x, SparseCooTensor* out);
void CopyPatternOf(const SparseCsrTensor& x, SparseCsrTensor* out);

}  // namespace phi
