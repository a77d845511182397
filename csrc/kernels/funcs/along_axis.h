// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_utils.h"
#include "primitive/for_each.h"
#include "primitive/loop/axis_shape.h"
#include "primitive/loop/check_index.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/row_offsets.h"
#include "primitive/loop/tensor_view.h"
#ifndef PHI_DEVICE_CODE
#include "core/parallel.h"
#include "primitive/loop/vec_loop.h"
#endif

// Tensors of indices that point along one axis of another tensor; in the other dimensions each is at its own place.
namespace phi::funcs {

// The indices of an op: those of `indices` count from the end when they are negative, of `index` none is.
enum class IndexKind : uint8_t { kIndices, kIndex };

// An index into `size` elements, counted from the beginning.
template <IndexKind kKind>
HOSTDEVICE int64_t CheckedIndex(int64_t id, int64_t size) {
  constexpr bool kNegative = kKind == IndexKind::kIndices;
  const int64_t low = kNegative ? -size : 0;
  // one comparison
  if (static_cast<uint64_t>(id) - static_cast<uint64_t>(low) >= static_cast<uint64_t>(size - low))
    primitive::CheckIndex(kNegative ? "indices" : "index", id, low, size);
  return kNegative && id < 0 ? id + size : id;
}

// use(i, place) for the i-th index, and where in a contiguous tensor of the shape `x` it points.
template <IndexKind kKind = IndexKind::kIndices, typename Id, typename Context, typename Use>
void WalkAlongAxis(
    const Context& dev_ctx, const Id* ids, const DDim& indices, const DDim& x, int axis, const Use& use) {
  const int64_t n = product(indices);
  if (n == 0) return;
  const int rank = x.size();
  DDim steps = contiguous_strides(x);
  const int at = CanonicalAxis(axis, rank);
  const int64_t size = rank == 0 ? 1 : x[at];
  const int64_t along = rank == 0 ? 1 : steps[at];
  if (rank > 0) steps[at] = 0;
  const int64_t width = rank == 0 ? 1 : indices[rank - 1];
  const bool is_last = rank == 0 || at == rank - 1;
  const primitive::RowOffsets rows(indices, steps);
  primitive::ForEachRun(dev_ctx, n / width, width, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
    const int64_t base = rows(row);
    const Id* const of_row = ids + row * width;
    const auto at = [=](int64_t i) { return CheckedIndex<kKind>(of_row[i], size); };
    if (is_last) {
      for (int64_t i = begin; i < end; ++i) use(row * width + i, base + at(i));
    } else {
      for (int64_t i = begin; i < end; ++i) use(row * width + i, base + i + at(i) * along);
    }
  });
}

#ifndef PHI_DEVICE_CODE
// Apart from the loop over rows, which leaves it too few registers.
template <IndexKind kKind, typename T, typename Id>
[[gnu::noinline]] void TakeOfRow(const T* from, int64_t size, const Id* ids, int64_t taken, T* to) {
  for (int64_t i = 0; i < taken; ++i) to[i] = from[CheckedIndex<kKind>(ids[i], size)];
}
#endif

template <IndexKind kKind, typename T, typename Id, typename Context>
void TakeAlongAxis(const Context& dev_ctx, const DenseTensor& x, const Id* ids, const DDim& indices, int axis, T* to) {
  const T* from = x.data<T>();
#ifndef PHI_DEVICE_CODE
  const int last = x.dims().size() - 1;
  const DDim rows = last < 0 ? DDim() : slice_ddim(x.dims(), 0, last);
  if (last >= 0 && CanonicalAxis(axis, last + 1) == last && slice_ddim(indices, 0, last) == rows) {
    const int64_t size = x.dims()[last], taken = indices[last];
    return ParallelFor(product(rows), primitive::RowGrain(taken), [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        TakeOfRow<kKind>(from + row * size, size, ids + row * taken, taken, to + row * taken);
      }
    });
  }
#endif
  WalkAlongAxis<kKind>(
      dev_ctx, ids, indices, x.dims(), axis, [=] HOSTDEVICE(int64_t i, int64_t place) { to[i] = from[place]; });
}

template <IndexKind kKind, typename Id, typename Context>
void FindPlacesAlongAxis(
    const Context& dev_ctx, const Id* ids, const DDim& indices, const DDim& x, int axis, int64_t* to) {
  WalkAlongAxis<kKind>(dev_ctx, ids, indices, x, axis, [=] HOSTDEVICE(int64_t i, int64_t place) { to[i] = place; });
}

// Where in a contiguous tensor of the shape `x` each of `indices` points.
template <IndexKind kKind = IndexKind::kIndices, typename Context>
DenseTensor PlacesAlongAxis(const Context& dev_ctx, const DenseTensor& indices, const DDim& x, int axis) {
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {indices.numel()});
  primitive::WithIds(indices, [&](const auto* ids) {
    FindPlacesAlongAxis<kKind>(dev_ctx, ids, indices.dims(), x, axis, places.data<int64_t>());
  });
  return places;
}

}  // namespace phi::funcs
