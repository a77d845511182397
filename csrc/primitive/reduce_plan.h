// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/hostdevice.h"
#include "core/ddim.h"

namespace phi::primitive {

// From a linear index over some dimensions of a tensor, in row-major order, to the offset of the element.
struct DimIndexer {
  int rank = 0;
  int64_t sizes[DDim::kMaxRank];
  int64_t strides[DDim::kMaxRank];

  void Append(int64_t size, int64_t stride) {
    sizes[rank] = size;
    strides[rank++] = stride;
  }
  HOSTDEVICE int64_t Offset(int64_t index) const {
    if (rank == 0) return 0;
    int64_t offset = 0;
    for (int i = rank - 1; i > 0; --i) {
      offset += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return offset + index * strides[0];
  }
};

// Axes of a tensor, each in [0, rank); none of them stands for all.
class AxisSet {
 public:
  void Add(int axis) { bits_ |= 1u << axis; }
  bool empty() const { return bits_ == 0; }
  bool Has(int axis) const { return empty() || (bits_ >> axis & 1); }

 private:
  unsigned bits_ = 0;
};

// A reduction of a contiguous tensor, seen as `kept` x `reduced` x one run of `inner` neighbours in memory.
struct ReducePlan {
  bool inner_reduced = true;  // the run is reduced to one value; otherwise it is kept
  int64_t inner = 1;
  int64_t kept = 1;     // number of combinations of the other kept dimensions
  int64_t reduced = 1;  // number of combinations of the other reduced dimensions
  DimIndexer kept_index;
  DimIndexer reduced_index;

  int64_t outputs() const { return inner_reduced ? kept : kept * inner; }
  // elements per output
  int64_t count() const { return inner_reduced ? reduced * inner : reduced; }
};

inline ReducePlan MakeReducePlan(const DDim& dims, AxisSet axes) {
  // neighbouring dimensions of one kind count as one; those of size 1 as none
  struct Group {
    bool reduced;
    int64_t size;
  };
  Group groups[DDim::kMaxRank];
  int n = 0;
  for (int i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (n > 0 && groups[n - 1].reduced == axes.Has(i)) {
      groups[n - 1].size *= dims[i];
    } else {
      groups[n++] = {axes.Has(i), dims[i]};
    }
  }

  ReducePlan plan;
  if (n == 0) return plan;
  plan.inner_reduced = groups[n - 1].reduced;
  plan.inner = groups[n - 1].size;
  int64_t strides[DDim::kMaxRank];
  for (int64_t i = n - 1, stride = 1; i >= 0; stride *= groups[i--].size) strides[i] = stride;
  for (int i = 0; i < n - 1; ++i) {
    (groups[i].reduced ? plan.reduced_index : plan.kept_index).Append(groups[i].size, strides[i]);
    (groups[i].reduced ? plan.reduced : plan.kept) *= groups[i].size;
  }
  return plan;
}

}  // namespace phi::primitive
