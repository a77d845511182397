// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "primitive/loop/tensor_view.h"
#include "primitive/permute.h"

namespace phi {

// Each group of upscale_factor^2 channels becomes a square of that many pixels.
template <typename T, typename Context>
void PixelShuffleKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        int upscale_factor,
                        const std::string& data_format,
                        DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  const DDim& d = x.dims();
  const int64_t r = upscale_factor;
  const DDim parts = data_format == "NHWC" ? DDim{d[0], d[1], d[2], out->dims()[3], r, r}
                                           : DDim{d[0], out->dims()[1], r, r, d[2], d[3]};
  primitive::PermuteTo(dev_ctx, primitive::ViewOf(x, parts), {0, 1, 4, 2, 5, 3}, out);
}

template <typename T, typename Context>
void PixelShuffleGradKernel(const Context& dev_ctx,
                            const DenseTensor& out_grad,
                            int upscale_factor,
                            const std::string& data_format,
                            DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  const DDim& d = x_grad->dims();
  const int64_t r = upscale_factor;
  const DDim parts = data_format == "NHWC" ? DDim{d[0], d[1], r, d[2], r, out_grad.dims()[3]}
                                           : DDim{d[0], out_grad.dims()[1], d[2], r, d[3], r};
  primitive::PermuteTo(dev_ctx, primitive::ViewOf(out_grad, parts), {0, 1, 3, 5, 2, 4}, x_grad);
}

}  // namespace phi
