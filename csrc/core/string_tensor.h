// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dense_tensor.h"

namespace phi {

namespace dtype {
struct pstring;  // for which kernels of strings are registered; no element is one
}  // namespace dtype

template <>
struct CppTypeToDataType<dtype::pstring> {
  static constexpr DataType Type() { return DataType::PSTRING; }
};

// Strings in the shape dims(): string i is bytes()[offsets()[i]] to bytes()[offsets()[i + 1]], as in Arrow.
class StringTensor : public TensorBase {
 public:
  StringTensor() = default;
  // offsets [n + 1] of int64 for n strings, bytes of uint8; both contiguous.
  StringTensor(const DenseTensor& offsets, const DenseTensor& bytes, const DDim& dims)
      : offsets_(offsets), bytes_(bytes) {
    meta_.dims = dims;
    meta_.dtype = bytes.dtype();
  }

  static constexpr TensorKind kKind = TensorKind::kOther;
  TensorKind kind() const override { return kKind; }
  const DDim& dims() const override { return meta_.dims; }
  int64_t numel() const override { return product(meta_.dims); }
  // for which its kernels are registered; the meta has that of the bytes, as torch does
  DataType dtype() const override { return DataType::PSTRING; }
  DataLayout layout() const override { return DataLayout::ANY; }
  const Place& place() const override { return bytes_.place(); }
  bool initialized() const override { return offsets_.initialized() && bytes_.initialized(); }
  DenseTensorMeta* mutable_meta() override { return &meta_; }
  void* AllocateFrom(Allocator* allocator, const Place& place, DataType dtype, size_t requested) override {
    return bytes_.AllocateFrom(allocator, place, dtype, requested);
  }

  const DenseTensor& offsets() const { return offsets_; }
  DenseTensor* mutable_offsets() { return &offsets_; }
  const DenseTensor& bytes() const { return bytes_; }
  DenseTensor* mutable_bytes() { return &bytes_; }

 private:
  DenseTensor offsets_;
  DenseTensor bytes_;
  DenseTensorMeta meta_;
};

}  // namespace phi
