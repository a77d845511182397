// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "common/ceil_div.h"
#include "core/parallel.h"
#include "primitive/cpu/grain_bytes.h"
#include "primitive/cpu/transpose_tile.h"
#include "primitive/impl/types.h"
#include "primitive/permute.h"
#include "primitive/permute_plan.h"

namespace phi::primitive {

namespace {

using detail::kGrainBytes;

constexpr int64_t kFarStreamBytes = 16 << 20;  // less than elsewhere, since lines are written far apart

constexpr int64_t kTileBytes = 256;  // of a side of a tile, whose pages fit the first TLB

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

// Whether all tiles of the output begin a line if it does.
bool TilesBeginLines(const PermutePlan& plan, int64_t element) {
  const auto skips_lines = [&](int64_t stride) { return stride * element % kLine == 0; };
  return skips_lines(plan.in_run.out_stride) &&
         std::all_of(plan.outer, plan.outer + plan.outer_rank, [&](const PermutePlan::Axis& axis) {
           return skips_lines(axis.out_stride);
         });
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
void TransposeTiles(const PermutePlan& plan, const void* x, void* result) {
  constexpr int64_t kTile = kTileBytes / sizeof(E);
  const E* in = static_cast<const E*>(x);
  E* out = static_cast<E*>(result);
  const int64_t strips = CeilDiv(plan.in_run.size, kTile);
  const int64_t bytes = plan.outer_size * plan.in_run.size * plan.out_run.size * static_cast<int64_t>(sizeof(E));
  const bool stream = bytes > kFarStreamBytes && detail::ToLine(out) == 0 && TilesBeginLines(plan, sizeof(E));
  const int64_t strip_bytes = kTile * plan.out_run.size * static_cast<int64_t>(sizeof(E));
  ParallelFor(
      plan.outer_size * strips, std::max<int64_t>(1, kGrainBytes / strip_bytes), [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
          const Offsets at = OffsetsOf(plan, task / strips);
          const int64_t row = task % strips * kTile;
          const int64_t rows = std::min(kTile, plan.in_run.size - row);
          for (int64_t col = 0; col < plan.out_run.size; col += kTile) {
            detail::TransposeTile(in + at.in + row + col * plan.out_run.in_stride,
                                  plan.out_run.in_stride,
                                  out + at.out + row * plan.in_run.out_stride + col,
                                  plan.in_run.out_stride,
                                  rows,
                                  std::min(kTile, plan.out_run.size - col),
                                  stream,
                                  col + kTile < plan.out_run.size ? kTile * plan.out_run.in_stride : 0);
          }
        }
        if (stream) detail::EndStream();
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
      return TransposeTiles<at::BFloat16>(plan, x.data(), out->data());
    case 4:
      return TransposeTiles<float>(plan, x.data(), out->data());
    case 8:
      return TransposeTiles<uint64_t>(plan, x.data(), out->data());
    default:
      return TransposeTiles<Bytes16>(plan, x.data(), out->data());
  }
}

[[maybe_unused]] const bool permute_registered = RegisterForAllTypes<Permute>(Backend::CPU, &PermuteOnCpu);

}  // namespace

}  // namespace phi::primitive
