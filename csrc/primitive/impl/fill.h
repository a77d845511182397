// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/constant_pad.h"
#include "primitive/copy_nd.h"
#include "primitive/fill.h"
#include "primitive/for_each.h"
#include "primitive/impl/types.h"

namespace phi::primitive {

template <typename T, typename Context>
void FillElements(const DeviceContext& dev_ctx, const Scalar& value, DenseTensor* out) {
  T* const data = out->data<T>();
  const T number = value.to<T>();
  ForEach(static_cast<const Context&>(dev_ctx), out->numel(), [=] HOSTDEVICE(int64_t i) { data[i] = number; });
}

// The whole is filled, then x is copied to its place.
inline void PadConstant(const DeviceContext& dev_ctx,
                        const DenseTensor& x,
                        const std::vector<int64_t>& before,
                        const Scalar& value,
                        DenseTensor* out) {
  FillWith(dev_ctx, value, out);
  if (x.numel() == 0) return;
  DenseTensorMeta meta = out->meta();
  int64_t offset = 0;
  for (int i = 0; i < meta.dims.size(); ++i) offset += before[i] * meta.strides[i];
  meta.contiguous = meta.dense = x.dims() == meta.dims;
  meta.dims = x.dims();
  char* const first = static_cast<char*>(out->data()) + offset * static_cast<int64_t>(SizeOf(out->dtype()));
  DenseTensor place(meta, out->place(), first);
  GetPrimitive<CopyNd>(dev_ctx, x.dtype())(dev_ctx, x, &place);
}

template <typename Context>
bool RegisterFill(Backend backend) {
  const auto fill = [](auto type) { return &FillElements<typename decltype(type)::Type, Context>; };
  return RegisterForTypes<Fill>(backend, fill, AllTypes()) && RegisterForAllTypes<ConstantPad>(backend, &PadConstant);
}

}  // namespace phi::primitive
