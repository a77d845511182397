// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/gather.h"
#include "primitive/loop/check_index.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/tensor_view.h"

// Vectors of indices that name slices of another tensor.
namespace phi::funcs {

// The argument that has the indices. Those of a graph's nodes and of segments do not count from the end.
enum class IndexName : uint8_t { kIndex, kSource, kTarget, kSegment };

template <IndexName kName>
HOSTDEVICE inline void CheckRow(int64_t id, int64_t rows) {
  if constexpr (kName == IndexName::kIndex) {
    primitive::CheckIndex("index", id, -rows, rows);
  } else if constexpr (kName == IndexName::kSource) {
    primitive::CheckIndex("src_index", id, 0, rows);
  } else if constexpr (kName == IndexName::kTarget) {
    primitive::CheckIndex("dst_index", id, 0, rows);
  } else {
    primitive::CheckIndex("segment_ids", id, 0, rows);
  }
}

template <IndexName kName, typename Id, typename Context>
void FindRowPlaces(const Context& dev_ctx, const Id* ids, int64_t count, int64_t outer, int64_t rows, int64_t* places) {
  primitive::ForEach(dev_ctx, outer * count, [=] HOSTDEVICE(int64_t i) {
    const int64_t part = i / count;
    const int64_t id = ids[i - part * count];
    CheckRow<kName>(id, rows);
    places[i] = part * rows + (id < 0 ? id + rows : id);
  });
}

// Which rows of `table`, all parts one after the other, `index` names in each part.
template <IndexName kName = IndexName::kIndex, typename Context>
DenseTensor RowPlaces(const Context& dev_ctx, const DenseTensor& index, const primitive::LookupTable& table) {
  const int64_t count = index.numel();
  DenseTensor places = primitive::EmptyTensor<int64_t>(dev_ctx, {table.outer * count});
  primitive::WithIds(index, [&](const auto* ids) {
    FindRowPlaces<kName>(dev_ctx, ids, count, table.outer, table.rows, places.template data<int64_t>());
  });
  return places;
}

}  // namespace phi::funcs
