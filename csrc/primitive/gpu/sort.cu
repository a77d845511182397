// SPDX-License-Identifier: Apache-2.0
#include "primitive/sort.h"

#include "primitive/gpu/sort_lines.cuh"
#include "primitive/impl/types.h"
#include "primitive/loop/order_key.h"

namespace phi::primitive {

namespace {

template <typename T>
void SortOnGpu(const DeviceContext& device_context,
               const DenseTensor& x,
               const AxisShape& shape,
               bool descending,
               DenseTensor* out,
               DenseTensor* indices) {
  using U = OrderKey<T>;
  const auto& dev_ctx = static_cast<const GPUContext&>(device_context);
  const T* data = x.data<T>();
  const int64_t size = shape.dim, inner = shape.inner, lines = shape.outer * inner;
  DenseTensor keys = EmptyTensor<uint8_t>(dev_ctx, {lines * size * static_cast<int64_t>(sizeof(U))});
  DenseTensor places = EmptyTensor<int64_t>(dev_ctx, {lines * size});
  DenseTensor order = EmptyTensor<int64_t>(dev_ctx, {lines * size});
  U* key_data = static_cast<U*>(keys.data());
  int64_t* place_data = places.data<int64_t>();
  ForEach(dev_ctx, lines * size, [=] HOSTDEVICE(int64_t i) {
    const int64_t line = i / size, at = i % size;
    key_data[i] = ToOrderKey(data[(line / inner * size + at) * inner + line % inner], descending);
    place_data[i] = at;
  });
  SortLines(dev_ctx, lines, size, key_data, place_data, order.data<int64_t>());
  T* values = out ? out->data<T>() : nullptr;
  GatherLines(dev_ctx, data, shape, size, order.data<int64_t>(), values, indices->data<int64_t>());
}

[[maybe_unused]] const bool registered = RegisterForTypes<Sort>(
    Backend::GPU, [](auto type) { return &SortOnGpu<typename decltype(type)::Type>; }, IntegerTypes(), FloatingTypes());

}  // namespace

}  // namespace phi::primitive
