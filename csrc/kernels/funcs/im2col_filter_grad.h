// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/im2col_matmul.h"
#include "primitive/fill.h"
#include "primitive/memset.h"

namespace phi::funcs {

// filter_grad = the sum over all images of out_grad @ columns^T.
template <typename T, typename Context>
void ConvFilterGradByMatMul(const Context& dev_ctx,
                            const DenseTensor& images,
                            const DenseTensor& out_grad,
                            const primitive::ConvParams& params,
                            DenseTensor* filter_grad) {
  const WindowGeometry g = MakeWindowGeometry(images.dims(), filter_grad->dims(), out_grad.dims(), params);
  const int64_t groups = params.groups;
  const int64_t filters = filter_grad->dims()[0];
  const int64_t step = ImagesPerProduct<Context>(g);
  primitive::SetZero(dev_ctx, filter_grad);
  if (out_grad.numel() == 0) return;
  DenseTensor products;
  DenseTensor ones;
  if (step > 1) {
    products = primitive::EmptyTensor<T>(dev_ctx, {step, filter_grad->numel()});
    ones = primitive::EmptyTensor<T>(dev_ctx, {1, step});
    primitive::FillWith(dev_ctx, 1, &ones);
  }
  DenseTensor sum = primitive::ViewOf(*filter_grad, {1, filter_grad->numel()});
  ForEachColumns<T>(dev_ctx, images, g, groups, [&](int64_t first, int64_t count, const DenseTensor& columns) {
    const DenseTensor grad =
        primitive::ViewOf(out_grad, {count, groups, filters / groups, g.columns()}, first * filters * g.columns());
    if (step == 1) return primitive::MatMul(dev_ctx, grad, false, columns, true, &sum, {.accumulate = true});
    DenseTensor part = primitive::ViewOf(products, {count, groups, filters / groups, g.rows() / groups});
    primitive::MatMul(dev_ctx, grad, false, columns, true, &part);
    // the sum over the images, as a product
    primitive::MatMul(dev_ctx,
                      primitive::ViewOf(ones, {1, count}),
                      false,
                      primitive::ViewOf(products, {count, filter_grad->numel()}),
                      false,
                      &sum,
                      {.accumulate = true});
  });
}

}  // namespace phi::funcs
