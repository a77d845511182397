// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/manipulation/masked_select.h"
#include "kernels/manipulation/nonzero.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/check_index.h"
#include "primitive/loop/id_type.h"

// The indices of an assignment x[i, j, ...] = value: integers, or masks, each of which stands for the coordinates of
// its true elements. They broadcast, and name slices of x.
namespace phi::funcs {

template <typename Id, typename Context>
void AddCoordinate(const Context& dev_ctx, const Id* ids, int64_t count, int64_t size, bool first, int64_t* places) {
  primitive::ForEach(dev_ctx, count, [=] HOSTDEVICE(int64_t i) {
    const int64_t id = ids[i];
    primitive::CheckIndex("indices", id, -size, size);
    places[i] = (first ? 0 : places[i] * size) + (id < 0 ? id + size : id);
  });
}

struct PutPlaces {
  DenseTensor places;
  DDim values;        // the shape of what is put there
  int64_t width = 1;  // of a slice

  template <typename Context>
  PutPlaces(const Context& dev_ctx, const std::vector<const DenseTensor*>& indices, const DDim& x) {
    std::vector<DenseTensor> given(indices.size());
    DDim dims;
    for (size_t i = 0; i < indices.size(); ++i) {
      const bool is_mask = indices[i]->dtype() == DataType::BOOL;
      if (is_mask) NonzeroKernel<bool>(dev_ctx, *indices[i], &given[i]);
      const DDim own = is_mask ? DDim{given[i].dims()[0]} : indices[i]->dims();
      CheckBroadcasts(own, dims);
      dims = phi::detail::BroadcastShape(own, dims);
    }
    const int64_t count = product(dims);
    places = primitive::EmptyTensor<int64_t>(dev_ctx, {count});
    int64_t* to = places.data<int64_t>();
    int axis = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      const bool is_mask = indices[i]->dtype() == DataType::BOOL;
      const int columns = is_mask ? indices[i]->dims().size() : 1;
      for (int column = 0; column < columns; ++column, ++axis) {
        const DenseTensor& source = is_mask ? given[i] : *indices[i];
        const DenseTensor part = is_mask ? primitive::ViewOf(source, {source.dims()[0]}, {columns}, column) : source;
        DenseTensor whole;
        whole.Resize(dims);
        whole.set_type(part.dtype());
        primitive::Copy(dev_ctx, part, &whole);
        primitive::WithIds(whole, [&](const auto* ids) { AddCoordinate(dev_ctx, ids, count, x[axis], axis == 0, to); });
      }
    }
    values = dims;
    for (; axis < x.size(); ++axis) {
      values.push_back(x[axis]);
      width *= x[axis];
    }
  }

  // What is put there has as many elements as there are true ones in masks, which no InferMeta knows.
  void CheckValue(const DDim& value) const {
    PADDLE_ENFORCE(value.size() <= values.size(),
                   errors::InvalidArgument("argument 'value': expected at most the shape %s, got %s", values, value));
    CheckBroadcasts(value, values);
    PADDLE_ENFORCE(phi::detail::BroadcastShape(value, values) == values,
                   errors::InvalidArgument("argument 'value': expected what broadcasts to %s, got %s", values, value));
  }

  static void CheckBroadcasts(const DDim& x, const DDim& y) {
    for (int i = 1; i <= x.size() && i <= y.size(); ++i) {
      const int64_t a = x[x.size() - i];
      const int64_t b = y[y.size() - i];
      PADDLE_ENFORCE(a == b || a == 1 || b == 1,
                     errors::InvalidArgument("the shapes %s and %s of 'indices' and 'value' do not broadcast; a mask "
                                             "counts as the number of its true elements",
                                             y,
                                             x));
    }
  }
};

}  // namespace phi::funcs
