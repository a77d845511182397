// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/dense_tensor.h"

namespace phi::primitive {

// What a permutation of dimensions does to memory, with as few dimensions as possible. Counted in elements.
struct PermutePlan {
  struct Axis {
    int64_t size = 1;
    int64_t in_stride = 0;
    int64_t out_stride = 0;
  };
  static constexpr int kMaxOuter = DDim::kMaxRank;

  Axis in_run;   // the axis along which x is contiguous
  Axis out_run;  // the axis along which out is; when it is also in_run (is_copy), whole runs are copied
  bool is_copy = false;
  Axis outer[kMaxOuter];  // the others, in the order of out
  int outer_rank = 0;
  int64_t outer_size = 1;

  PermutePlan(const DDim& x, const std::vector<int>& perm) {
    const DDim strides = contiguous_strides(x);
    Axis axes[DDim::kMaxRank];
    int rank = 0;
    for (const int dim : perm) {
      if (x[dim] == 1) continue;
      if (rank > 0 && axes[rank - 1].in_stride == strides[dim] * x[dim]) {
        axes[rank - 1].size *= x[dim];
        axes[rank - 1].in_stride = strides[dim];
      } else {
        axes[rank++] = {x[dim], strides[dim], 0};
      }
    }
    if (rank == 0) axes[rank++] = {1, 1, 0};
    int64_t out_stride = 1;
    for (int i = rank - 1; i >= 0; --i) {
      axes[i].out_stride = out_stride;
      out_stride *= axes[i].size;
    }
    out_run = axes[rank - 1];
    is_copy = out_run.in_stride == 1;
    in_run = out_run;
    for (int i = 0; i < rank - 1; ++i) {
      if (axes[i].in_stride == 1) {
        in_run = axes[i];
      } else {
        outer[outer_rank++] = axes[i];
        outer_size *= axes[i].size;
      }
    }
  }
};

}  // namespace phi::primitive
