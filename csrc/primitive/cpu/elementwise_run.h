// SPDX-License-Identifier: Apache-2.0
// How the loops of an elementwise functor run over tensors: the part of it that no type decides, compiled once.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "backends/cpu/cpu_context.h"
#include "primitive/cpu/stream.h"
#include "primitive/cpu/strided_loop.h"

namespace phi::primitive::detail {

// The loops of a functor of some types.
struct ElementwiseRuns {
  int inputs;
  const int64_t* sizes;              // bytes of an element of the output, then of the inputs
  const ElementwiseLoop::Fn* dense;  // by the mask of the inputs that advance; none for 0
  void (*strided)(const void* functor, char* const* data, const int64_t* steps, int64_t n);
  size_t functor_bytes;           // as noted, 0 if it can't be
  const ElementwiseSteps* steps;  // null if there are none
};

// Whether the elements of both lie in memory in the same order, without holes.
inline bool SameOrder(const DenseTensor& x, const DenseTensor& out) {
  if (x.is_contiguous() && out.is_contiguous()) return true;
  return out.meta().dense && x.dims() == out.dims() && x.strides() == out.strides();
}

// The inputs that advance with a dense output along a row, as bits; -1 if another loop is needed.
inline int DenseMask(const ElementwiseRuns& runs, const int64_t* steps) {
  if (steps[0] != runs.sizes[0]) return -1;
  int mask = 0;
  for (int k = 1; k <= runs.inputs; ++k) {
    if (steps[k] == runs.sizes[k]) {
      mask |= 1 << (k - 1);
    } else if (steps[k] != 0) {
      return -1;
    }
  }
  return mask;
}

template <typename Word>
void RepeatWord(char* row, int64_t n, bool stream) {
  Word word;
  std::memcpy(&word, row, sizeof(Word));
  Word* const out = reinterpret_cast<Word*>(row);
  const int64_t head = ToLine(row) / static_cast<int64_t>(sizeof(Word));
  if (!stream || ToLine(out + head) != 0) return static_cast<void>(std::fill_n(out, n, word));
  constexpr int64_t kWords = kLine / sizeof(Word);
  std::array<Word, kWords> line;
  line.fill(word);
  std::fill_n(out, head, word);
  int64_t at = head;
  for (; at + kWords <= n; at += kWords) StreamLine(out + at, line.data());
  std::fill_n(out + at, n - at, word);
}

// Repeats the first of n elements of a row.
inline void Repeat(char* row, int64_t size, int64_t n, bool stream) {
  switch (size) {
    case 1:
      return RepeatWord<uint8_t>(row, n, stream);
    case 2:
      return RepeatWord<uint16_t>(row, n, stream);
    case 4:
      return RepeatWord<uint32_t>(row, n, stream);
    case 8:
      return RepeatWord<uint64_t>(row, n, stream);
    default:
      return RepeatWord<dtype::complex<double>>(row, n, stream);
  }
}

// What a rectangle is made with; `stream`: past the caches, where its rows are long and dense.
struct ElementwiseWork {
  const ElementwiseRuns& runs;
  const void* functor;
  bool stream;
};

// A rectangle of n0 x n1 elements with any strides.
inline void ElementwiseRectangle(
    const void* work, char* const* data, const int64_t (*strides)[StridedPlan::kMaxOperands], int64_t n0, int64_t n1) {
  const auto& [runs, functor, streams] = *static_cast<const ElementwiseWork*>(work);
  const int mask = DenseMask(runs, strides[0]);
  const bool stream = mask >= 0 && streams && n0 * runs.sizes[0] >= 16 * kLine;
  if (mask > 0) {
    runs.dense[mask](functor, data, n0, strides[1], n1, stream);
  } else {
    char* row[StridedPlan::kMaxOperands];
    for (int64_t j = 0; j < n1; ++j) {
      for (int k = 0; k <= runs.inputs; ++k) row[k] = data[k] + j * strides[1][k];
      runs.strided(functor, row, strides[0], mask == 0 ? 1 : n0);
      if (mask == 0) Repeat(row[0], runs.sizes[0], n0, stream);
    }
  }
  if (stream) EndStream();
}

// The parts of a flat run: all operands are dense, or one value.
struct FlatRun {
  const ElementwiseRuns& runs;
  const void* functor;
  unsigned mask;
  bool stream;
  char* data[StridedPlan::kMaxOperands];

  void operator()(int64_t begin, int64_t end) const {
    char* part[StridedPlan::kMaxOperands];
    part[0] = data[0] + begin * runs.sizes[0];
    for (int k = 1; k <= runs.inputs; ++k) part[k] = data[k] + (mask >> (k - 1) & 1 ? begin * runs.sizes[k] : 0);
    constexpr int64_t kOneRow[StridedPlan::kMaxOperands] = {};
    runs.dense[mask](functor, part, end - begin, kOneRow, 1, stream);
    if (stream) EndStream();
  }
};

// out = functor(inputs...). The output has elements, and memory.
[[gnu::noinline, gnu::noclone]] inline void RunElementwise(const CPUContext& dev_ctx,
                                                           const ElementwiseRuns& runs,
                                                           const void* functor,
                                                           DenseTensor* out,
                                                           const DenseTensor* const* inputs) {
  const int64_t n = out->numel();
  FlatRun flat{runs, functor, 0, n * runs.sizes[0] > kStreamBytes, {static_cast<char*>(out->data())}};
  bool is_flat = out->is_contiguous() || out->meta().dense;
  for (int k = 0; k < runs.inputs; ++k) {
    const DenseTensor& x = *inputs[k];
    flat.data[k + 1] = static_cast<char*>(const_cast<void*>(x.data()));
    flat.stream = flat.stream && flat.data[k + 1] != flat.data[0];  // its lines would be in the caches
    const int64_t count = x.numel();
    const bool advances = count == n && SameOrder(x, *out);
    flat.mask |= unsigned{advances} << k;
    is_flat = is_flat && (advances || count == 1);
  }
  if (is_flat && flat.mask != 0) {
    if (dev_ctx.notes_loops()) {
      auto loop = ElementwiseLoop::Of(
          runs.dense[flat.mask], functor, runs.functor_bytes, {flat.data, static_cast<size_t>(runs.inputs) + 1});
      loop.advances = flat.mask;
      loop.steps = runs.steps;
      dev_ctx.NoteLoop(loop);
    }
    return ParallelFor(n, kGrainSize, flat);
  }
  if (dev_ctx.notes_loops()) dev_ctx.NoteLoop({});
  const DenseTensor* tensors[StridedPlan::kMaxOperands] = {out};
  std::copy_n(inputs, runs.inputs, tensors + 1);
  const ElementwiseWork work{runs, functor, flat.stream};
  ForEachRectangle(MakeStridedPlan({tensors, static_cast<size_t>(runs.inputs) + 1}), &ElementwiseRectangle, &work);
}

}  // namespace phi::primitive::detail
