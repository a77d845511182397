// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/int_array.h"
#include "kernels/library/convolution.h"

// The transposed convolutions of the backends ONEDNN and GPUDNN.
namespace phi {

template <typename T, typename Context>
void Conv2dTransposeLibraryKernel(const Context& dev_ctx,
                                  const DenseTensor& x,
                                  const DenseTensor& filter,
                                  const std::vector<int>& strides,
                                  const std::vector<int>& paddings,
                                  const std::vector<int>& output_padding,
                                  const IntArray& output_size,
                                  const std::string& padding_algorithm,
                                  int groups,
                                  const std::vector<int>& dilations,
                                  const std::string& data_format,
                                  DenseTensor* out) {
  if (detail::ConvolveNothing<T>(dev_ctx, x, filter, *out, {out})) return;
  const primitive::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out->dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  detail::Convolve(dev_ctx, x, filter, params, {}, out);
}

template <typename T, typename Context>
void Conv2dTransposeGradLibraryKernel(const Context& dev_ctx,
                                      const DenseTensor& x,
                                      const DenseTensor& filter,
                                      const DenseTensor& out_grad,
                                      const std::vector<int>& strides,
                                      const std::vector<int>& paddings,
                                      const std::vector<int>& output_padding,
                                      const IntArray& output_size,
                                      const std::string& padding_algorithm,
                                      int groups,
                                      const std::vector<int>& dilations,
                                      const std::string& data_format,
                                      DenseTensor* x_grad,
                                      DenseTensor* filter_grad) {
  if (detail::ConvolveNothing<T>(dev_ctx, x, filter, out_grad, {x_grad, filter_grad})) return;
  const primitive::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out_grad.dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  detail::ConvolveGrad(dev_ctx, x, filter, out_grad, params, x_grad, filter_grad);
}

// Of volumes.
template <typename T, typename Context>
void Conv3dTransposeLibraryKernel(const Context& dev_ctx,
                                  const DenseTensor& x,
                                  const DenseTensor& filter,
                                  const std::vector<int>& strides,
                                  const std::vector<int>& paddings,
                                  const std::vector<int>& output_padding,
                                  const std::vector<int>& output_size,
                                  const std::string& padding_algorithm,
                                  int groups,
                                  const std::vector<int>& dilations,
                                  const std::string& data_format,
                                  DenseTensor* out) {
  Conv2dTransposeLibraryKernel<T>(dev_ctx,
                                  x,
                                  filter,
                                  strides,
                                  paddings,
                                  output_padding,
                                  {},
                                  padding_algorithm,
                                  groups,
                                  dilations,
                                  data_format,
                                  out);
}

template <typename T, typename Context>
void Conv3dTransposeGradLibraryKernel(const Context& dev_ctx,
                                      const DenseTensor& x,
                                      const DenseTensor& filter,
                                      const DenseTensor& out_grad,
                                      const std::vector<int>& strides,
                                      const std::vector<int>& paddings,
                                      const std::vector<int>& output_padding,
                                      const std::vector<int>& output_size,
                                      const std::string& padding_algorithm,
                                      int groups,
                                      const std::vector<int>& dilations,
                                      const std::string& data_format,
                                      DenseTensor* x_grad,
                                      DenseTensor* filter_grad) {
  Conv2dTransposeGradLibraryKernel<T>(dev_ctx,
                                      x,
                                      filter,
                                      out_grad,
                                      strides,
                                      paddings,
                                      output_padding,
                                      {},
                                      padding_algorithm,
                                      groups,
                                      dilations,
                                      data_format,
                                      x_grad,
                                      filter_grad);
}

}  // namespace phi
