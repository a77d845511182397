// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "primitive/cpu/parallel.h"
#include "primitive/impl/types.h"
#include "primitive/permute.h"
#include "primitive/permute_plan.h"

namespace phi::primitive {

namespace {

constexpr int64_t kTile = 32;             // elements of a side of a tile that fits the L1 cache
constexpr int64_t kGrainBytes = 1 << 16;  // worth a thread

struct Offsets {
  int64_t in = 0;
  int64_t out = 0;
};

// Of outer index `index`.
Offsets OffsetsOf(const PermutePlan& plan, int64_t index) {
  Offsets offsets;
  for (int i = plan.outer_rank - 1; i >= 0; --i) {
    const PermutePlan::Axis& axis = plan.outer[i];
    const int64_t at = index % axis.size;
    index /= axis.size;
    offsets.in += at * axis.in_stride;
    offsets.out += at * axis.out_stride;
  }
  return offsets;
}

void CopyRuns(const PermutePlan& plan, const char* in, char* out, int64_t element) {
  const int64_t bytes = plan.out_run.size * element;
  if (plan.outer_size == 1) {
    ParallelFor(
        bytes, kGrainBytes, [&](int64_t begin, int64_t end) { std::memcpy(out + begin, in + begin, end - begin); });
    return;
  }
  ParallelFor(plan.outer_size, std::max<int64_t>(1, kGrainBytes / bytes), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Offsets at = OffsetsOf(plan, i);
      std::memcpy(out + at.out * element, in + at.in * element, bytes);
    }
  });
}

template <typename E>
void TransposeTile(const E* in, int64_t in_stride, E* out, int64_t out_stride, int64_t rows, int64_t cols) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) out[r * out_stride + c] = in[c * in_stride + r];
  }
}

template <typename E>
void TransposeTiles(const PermutePlan& plan, const void* x, void* result) {
  const E* in = static_cast<const E*>(x);
  E* out = static_cast<E*>(result);
  const int64_t strips = (plan.in_run.size + kTile - 1) / kTile;
  const int64_t strip_bytes = kTile * plan.out_run.size * static_cast<int64_t>(sizeof(E));
  ParallelFor(
      plan.outer_size * strips, std::max<int64_t>(1, kGrainBytes / strip_bytes), [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
          const Offsets at = OffsetsOf(plan, task / strips);
          const int64_t row = task % strips * kTile;
          const int64_t rows = std::min(kTile, plan.in_run.size - row);
          for (int64_t col = 0; col < plan.out_run.size; col += kTile) {
            TransposeTile(in + at.in + row + col * plan.out_run.in_stride,
                          plan.out_run.in_stride,
                          out + at.out + row * plan.in_run.out_stride + col,
                          plan.in_run.out_stride,
                          rows,
                          std::min(kTile, plan.out_run.size - col));
          }
        }
      });
}

struct Bytes16 {
  uint64_t words[2];
};

void PermuteOnCpu(const DeviceContext&, const DenseTensor& x, const std::vector<int>& perm, DenseTensor* out) {
  const PermutePlan plan(x.dims(), perm);
  const int64_t element = static_cast<int64_t>(SizeOf(x.dtype()));
  if (plan.is_copy) return CopyRuns(plan, static_cast<const char*>(x.data()), static_cast<char*>(out->data()), element);
  switch (element) {
    case 1:
      return TransposeTiles<uint8_t>(plan, x.data(), out->data());
    case 2:
      return TransposeTiles<uint16_t>(plan, x.data(), out->data());
    case 4:
      return TransposeTiles<uint32_t>(plan, x.data(), out->data());
    case 8:
      return TransposeTiles<uint64_t>(plan, x.data(), out->data());
    default:
      return TransposeTiles<Bytes16>(plan, x.data(), out->data());
  }
}

[[maybe_unused]] const bool registered = RegisterForAllTypes<Permute>(Backend::CPU, &PermuteOnCpu);

}  // namespace

}  // namespace phi::primitive
