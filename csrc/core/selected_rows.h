// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi {

// Some rows of a tensor of `height` rows: row rows()[i] is value()[i]. A row may occur more than once (they add up).
class SelectedRows : public TensorBase {
 public:
  SelectedRows() = default;
  SelectedRows(std::vector<int64_t> rows, int64_t height) : rows_(std::move(rows)), height_(height) {}

  static constexpr TensorKind kKind = TensorKind::kSelectedRows;
  TensorKind kind() const override { return kKind; }
  const DDim& dims() const override { return value_.dims(); }
  int64_t numel() const override { return value_.numel(); }
  DataType dtype() const override { return value_.dtype(); }
  DataLayout layout() const override { return value_.layout(); }
  const Place& place() const override { return value_.place(); }
  bool initialized() const override { return value_.initialized(); }
  // of the whole tensor: what the values say once they are there
  DenseTensorMeta* mutable_meta() override {
    if (value_.initialized()) {
      meta_ = value_.meta();
      meta_.dims[0] = height_;
    }
    return &meta_;
  }
  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override {
    return value_.AllocateFrom(allocator, place, dtype, requested);
  }

  const DenseTensor& value() const { return value_; }
  DenseTensor* mutable_value() { return &value_; }
  const std::vector<int64_t>& rows() const { return rows_; }
  std::vector<int64_t>* mutable_rows() { return &rows_; }
  void set_rows(const std::vector<int64_t>& rows) { rows_ = rows; }
  int64_t height() const { return height_; }
  void set_height(int64_t height) { height_ = height; }
  // the shape of the whole tensor
  DDim GetCompleteDims() const {
    DDim dims = value_.dims();
    dims[0] = height_;
    return dims;
  }

 private:
  std::vector<int64_t> rows_;
  int64_t height_ = 0;
  DenseTensor value_;
  DenseTensorMeta meta_;
};

// Makes `out` have the rows of x, and room for as many values; they may be one.
void CopyPatternOf(const SelectedRows& x, SelectedRows* out);

}  // namespace phi
