// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backends/all_context.h"
#include "core/dense_tensor.h"

// A tensor and the parts that it is cut into along one axis. Both are seen as matrices with equal numbers of rows, the
// elements before the axis; the rows of the parts, side by side, are the rows of the whole.
namespace phi::funcs {

// The memory of a part and the bytes of one of its rows.
struct RowPart {
  char* data;  // a null part is skipped
  int64_t bytes;
};

// A few parts are held inline.
class RowParts {
 public:
  explicit RowParts(size_t count) : more_(count > kInline ? count : 0), parts_(count > kInline ? more_.data() : few_) {}
  RowParts(const RowParts&) = delete;
  RowParts& operator=(const RowParts&) = delete;

  void Add(const RowPart& part) { parts_[size_++] = part; }
  size_t size() const { return size_; }
  const RowPart& operator[](size_t i) const { return parts_[i]; }
  const RowPart* begin() const { return parts_; }
  const RowPart* end() const { return parts_ + size_; }

 private:
  static constexpr size_t kInline = 8;
  RowPart few_[kInline];
  std::vector<RowPart> more_;
  RowPart* parts_;
  size_t size_ = 0;
};

enum class CopyDirection { kPartsToWhole, kWholeToParts };

void CopyRows(const CPUContext& dev_ctx, int64_t rows, const RowParts& parts, char* whole, CopyDirection direction);
void CopyRows(const GPUContext& dev_ctx, int64_t rows, const RowParts& parts, char* whole, CopyDirection direction);

// The part that `tensor` is, for an axis in [0, rank). `data` is null for a part that is skipped.
inline RowPart MakeRowPart(const DenseTensor& tensor, const void* data, int axis) {
  int64_t elements = 1;
  for (int i = axis; i < tensor.dims().size(); ++i) elements *= tensor.dims()[i];
  return {static_cast<char*>(const_cast<void*>(data)), elements * static_cast<int64_t>(SizeOf(tensor.dtype()))};
}

}  // namespace phi::funcs
