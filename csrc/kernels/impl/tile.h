// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/tensor_view.h"
#include "kernels/funcs/tile_shapes.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void TileKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& repeat_times, DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const funcs::TileShapes shapes(x.dims(), repeat_times);
  if (shapes.fits()) {
    DenseTensor whole = funcs::ViewOf(*out, shapes.to());
    return primitive::Copy(dev_ctx, funcs::ViewOf(x, shapes.from()), &whole);
  }
  DenseTensor part;
  part.Resize(shapes.inner_dims());
  TileKernel<T, Context>(dev_ctx, x, shapes.inner_repeats(), &part);
  TileKernel<T, Context>(dev_ctx, part, shapes.outer_repeats(), out);
}

}  // namespace phi
