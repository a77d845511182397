// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "core/ddim.h"

namespace phi::primitive {

// A shape, for device code.
struct DeviceDims {
  int64_t sizes[DDim::kMaxRank];
  explicit DeviceDims(const DDim& dims) {
    for (int i = 0; i < dims.size(); ++i) sizes[i] = dims[i];
  }
  HOSTDEVICE int64_t operator[](int i) const { return sizes[i]; }
};

// Where the rows of a tensor of the shape `dims` begin: what lies along the last dimension, one row after the other.
// The strides are any, negative ones too.
class RowOffsets {
 public:
  RowOffsets(const DDim& dims, const DDim& strides) {
    for (int d = dims.size() - 2; d >= 0; --d) Add(dims[d], strides[d]);
  }

  HOSTDEVICE int64_t operator()(int64_t row) const {
    if (rank_ == 0) return 0;
    int64_t offset = 0;
    for (int d = 0; d < rank_ - 1; ++d) {
      const int64_t rest = row / sizes_[d];
      offset += (row - rest * sizes_[d]) * strides_[d];
      row = rest;
    }
    return offset + row * strides_[rank_ - 1];
  }

 private:
  void Add(int64_t size, int64_t stride) {
    if (size == 1) return;
    if (rank_ > 0 && stride == sizes_[rank_ - 1] * strides_[rank_ - 1]) {
      sizes_[rank_ - 1] *= size;
    } else {
      sizes_[rank_] = size;
      strides_[rank_++] = stride;
    }
  }

  int rank_ = 0;  // of the dimensions before the last one, the innermost first; neighbours are joined
  int64_t sizes_[DDim::kMaxRank];
  int64_t strides_[DDim::kMaxRank];
};

}  // namespace phi::primitive
