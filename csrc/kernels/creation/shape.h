// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/for_each.h"

namespace phi {

// Sizes that go into the code of the device by value.
template <typename Number>
struct SizesFunctor {
  Number* out;
  Number sizes[DDim::kMaxRank];
  HOSTDEVICE void operator()(int64_t i) const { out[i] = sizes[i]; }
};

template <typename Number, typename Context>
void WriteSizes(const Context& dev_ctx, const DDim& dims, DenseTensor* out) {
  SizesFunctor<Number> write{dev_ctx.template Alloc<Number>(out), {}};
  for (int i = 0; i < dims.size(); ++i) write.sizes[i] = static_cast<Number>(dims[i]);
  primitive::ForEach(dev_ctx, dims.size(), write);
}

template <typename T, typename Context>
void ShapeKernel(const Context& dev_ctx, const DenseTensor& input, DenseTensor* out) {
  WriteSizes<int32_t>(dev_ctx, input.dims(), out);
}

}  // namespace phi
