// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/conv_params.h"
#include "kernels/funcs/im2col_filter_grad.h"
#include "kernels/funcs/im2col_matmul.h"

// Transposed convolution by matrix multiplication: the input's gradient of a convolution that makes `x` of `out`, so
// that its own gradients are that convolution and its filter's gradient.
namespace phi {

// The transposed convolution of images with filters [in_channels, out_channels / groups, height, width]: what conv2d
// would have to get to give x, as its gradient says. `out` says how large it is.
template <typename T, typename Context>
void Conv2dTransposeKernel(const Context& dev_ctx,
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
  const primitive::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out->dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, x, params.channels_last);
  DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *out, params.channels_last);
  funcs::ConvInputGradByMatMul<T>(dev_ctx, funcs::InOrder(dev_ctx, filter), images, params, &result);
  funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, out);
}

// A null gradient is not computed.
template <typename T, typename Context>
void Conv2dTransposeGradKernel(const Context& dev_ctx,
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
  const primitive::ConvParams params = funcs::MakeConvTransposeParams(
      x.dims(), filter.dims(), out_grad.dims(), strides, paddings, padding_algorithm, groups, dilations, data_format);
  const DenseTensor grad = funcs::ToChannelsFirst<T>(dev_ctx, out_grad, params.channels_last);
  if (filter_grad) {
    dev_ctx.template Alloc<T>(filter_grad);
    const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, x, params.channels_last);
    funcs::ConvFilterGradByMatMul<T>(dev_ctx, grad, images, params, filter_grad);
  }
  if (x_grad) {
    dev_ctx.template Alloc<T>(x_grad);
    if (x_grad->numel() == 0) return;
    DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *x_grad, params.channels_last);
    funcs::ConvByMatMul<T>(dev_ctx, grad, funcs::InOrder(dev_ctx, filter), params, &result);
    funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, x_grad);
  }
}

}  // namespace phi
