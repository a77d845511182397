// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv/interpolate.h"

namespace phi {

// Images of another size: each pixel is the nearest one of `x`. The size of `output` is set here where a tensor
// says it.
template <typename T, typename Context>
void NearestInterpKernel(const Context& dev_ctx,
                         const DenseTensor& x,
                         const paddle::optional<DenseTensor>& out_size,
                         const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                         const paddle::optional<DenseTensor>& scale_tensor,
                         const std::string& data_format,
                         int out_d,
                         int out_h,
                         int out_w,
                         const std::vector<double>& scale,
                         const std::string& interp_method,
                         bool align_corners,
                         int align_mode,
                         DenseTensor* output) {
  const funcs::InterpSource source{out_size, size_tensor, scale_tensor, {out_d, out_h, out_w}, scale};
  const funcs::InterpMethod method{data_format, interp_method, align_corners, align_mode};
  funcs::RunInterpolate<T>(dev_ctx, x, source, method, output);
}

template <typename T, typename Context>
void NearestInterpGradKernel(const Context& dev_ctx,
                             const DenseTensor& x,
                             const paddle::optional<DenseTensor>& out_size,
                             const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                             const paddle::optional<DenseTensor>& scale_tensor,
                             const DenseTensor& output_grad,
                             const std::string& data_format,
                             int out_d,
                             int out_h,
                             int out_w,
                             const std::vector<double>& scale,
                             const std::string& interp_method,
                             bool align_corners,
                             int align_mode,
                             DenseTensor* x_grad) {
  const funcs::InterpSource source{out_size, size_tensor, scale_tensor, {out_d, out_h, out_w}, scale};
  const funcs::InterpMethod method{data_format, interp_method, align_corners, align_mode};
  funcs::RunInterpolateGrad<T>(dev_ctx, x, output_grad, source, method, x_grad);
}

}  // namespace phi
