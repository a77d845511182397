// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"
#include "primitive/gather.h"
#include "primitive/loop/check_index.h"
#include "primitive/loop/id_type.h"
#include "primitive/loop/row_offsets.h"
#include "primitive/loop/tensor_view.h"

// Tensors of coordinates: the last dimension of `index` has the first coordinates of a slice of another tensor.
namespace phi::funcs {

template <typename Id, typename Context>
void FindNdPlaces(const Context& dev_ctx, const Id* ids, int64_t count, int depth, const DDim& x, int64_t* places) {
  const primitive::DeviceDims dims(x);
  primitive::ForEach(dev_ctx, count, [=] HOSTDEVICE(int64_t i) {
    int64_t place = 0;
    for (int d = 0; d < depth; ++d) {
      const int64_t id = ids[i * depth + d];
      const int64_t size = dims[d];
      primitive::CheckIndex("index", id, -size, size);
      place = place * size + (id < 0 ? id + size : id);
    }
    places[i] = place;
  });
}

// The slices of a tensor, one after the other, and which of them `index` names.
struct NdPlaces {
  primitive::LookupTable table;
  DenseTensor places;

  template <typename Context>
  NdPlaces(const Context& dev_ctx, const DenseTensor& index, const DDim& x) {
    const int last = index.dims().size() - 1;
    const int depth = static_cast<int>(index.dims()[last]);
    const int64_t count = product(slice_ddim(index.dims(), 0, last));
    table = {"index", 1, product(slice_ddim(x, 0, depth)), product(slice_ddim(x, depth, x.size()))};
    places = primitive::EmptyTensor<int64_t>(dev_ctx, {count});
    primitive::WithIds(
        index, [&](const auto* ids) { FindNdPlaces(dev_ctx, ids, count, depth, x, places.template data<int64_t>()); });
  }
};

}  // namespace phi::funcs
