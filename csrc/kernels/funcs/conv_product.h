// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "primitive/convolution.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/matmul.h"

// Transposed convolutions of images of one pixel, with which generators of images begin.
namespace phi::funcs {

// Whether the images are pixels, of which the transposed convolution is a product with the whole filter.
inline bool IsConvProduct(const DenseTensor& x,
                          const DenseTensor& filter,
                          const DenseTensor& out,
                          const primitive::ConvParams& params) {
  if (!params.transposed || params.channels_last || x.numel() != x.dims()[0] * x.dims()[1]) return false;
  if (!x.is_contiguous() || !filter.is_contiguous() || !out.is_contiguous()) return false;
  const auto is_zero = [](int64_t padding) { return padding == 0; };
  if (!std::ranges::all_of(params.paddings, is_zero)) return false;
  for (int i = 2; i < out.dims().size(); ++i) {
    if (out.dims()[i] != filter.dims()[i]) return false;  // dilated, or with an output_padding
  }
  return true;
}

// out[image, group] = x[image, group] @ filter[group].
template <typename Context>
void ConvProduct(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& filter, int64_t groups, DenseTensor* out) {
  dev_ctx.Alloc(out, x.dtype());
  const int64_t images = x.dims()[0], of_group = x.dims()[1] / groups, pixels = out->numel() / images / groups;
  const bool is_one = groups == 1;
  const DDim rows = is_one ? DDim{images, of_group} : DDim{images, groups, 1, of_group};
  const DDim columns = is_one ? DDim{of_group, pixels} : DDim{groups, of_group, pixels};
  DenseTensor result = primitive::ViewOf(*out, is_one ? DDim{images, pixels} : DDim{images, groups, 1, pixels});
  primitive::MatMul(dev_ctx, primitive::ViewOf(x, rows), false, primitive::ViewOf(filter, columns), false, &result);
}

}  // namespace phi::funcs
