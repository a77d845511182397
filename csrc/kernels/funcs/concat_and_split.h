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

enum class CopyDirection { kPartsToWhole, kWholeToParts };

void CopyRows(
    const CPUContext& dev_ctx, int64_t rows, const std::vector<RowPart>& parts, char* whole, CopyDirection direction);
void CopyRows(
    const GPUContext& dev_ctx, int64_t rows, const std::vector<RowPart>& parts, char* whole, CopyDirection direction);

// The part that `tensor` is, for an axis in [0, rank). `data` is null for a part that is skipped.
inline RowPart MakeRowPart(const DenseTensor& tensor, const void* data, int axis) {
  const int64_t elements = product(slice_ddim(tensor.dims(), axis, tensor.dims().size()));
  return {static_cast<char*>(const_cast<void*>(data)), elements * static_cast<int64_t>(SizeOf(tensor.dtype()))};
}

}  // namespace phi::funcs
