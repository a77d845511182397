// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/convert.h"
#include "primitive/for_each.h"
#include "primitive/memset.h"

namespace phi {

template <typename T, typename Context>
void EyeKernel(const Context& dev_ctx, const Scalar&, const Scalar&, DataType, DenseTensor* out) {
  T* data = dev_ctx.template Alloc<T>(out);
  primitive::SetZero(dev_ctx, out);
  const int64_t rows = out->dims()[0], columns = out->dims()[1];
  primitive::ForEach(dev_ctx, rows < columns ? rows : columns, [=] HOSTDEVICE(int64_t i) {
    data[i * (columns + 1)] = primitive::Convert<T>(1.0f);
  });
}

}  // namespace phi
