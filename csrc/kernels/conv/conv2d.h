// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/conv_params.h"
#include "kernels/funcs/im2col_filter_grad.h"
#include "kernels/funcs/im2col_matmul.h"

// Convolution by matrix multiplication: a kernel that needs no library for convolution.
namespace phi {

// The cross-correlation of images with filters [out_channels, in_channels / groups, height, width].
template <typename T, typename Context>
void Conv2dKernel(const Context& dev_ctx,
                  const DenseTensor& input,
                  const DenseTensor& filter,
                  const std::vector<int>& strides,
                  const std::vector<int>& paddings,
                  const std::string& padding_algorithm,
                  const std::vector<int>& dilations,
                  int groups,
                  const std::string& data_format,
                  DenseTensor* out) {
  const primitive::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, input, params.channels_last);
  DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *out, params.channels_last);
  funcs::ConvByMatMul<T>(dev_ctx, images, funcs::InOrder(dev_ctx, filter), params, &result);
  funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, out);
}

// A null gradient is not computed.
template <typename T, typename Context>
void Conv2dGradKernel(const Context& dev_ctx,
                      const DenseTensor& input,
                      const DenseTensor& filter,
                      const DenseTensor& out_grad,
                      const std::vector<int>& strides,
                      const std::vector<int>& paddings,
                      const std::string& padding_algorithm,
                      const std::vector<int>& dilations,
                      int groups,
                      const std::string& data_format,
                      DenseTensor* input_grad,
                      DenseTensor* filter_grad) {
  const primitive::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  const DenseTensor grad = funcs::ToChannelsFirst<T>(dev_ctx, out_grad, params.channels_last);
  if (filter_grad) {
    dev_ctx.template Alloc<T>(filter_grad);
    const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, input, params.channels_last);
    DenseTensor result = *filter_grad;
    if (!filter_grad->is_contiguous()) result = primitive::EmptyTensor<T>(dev_ctx, filter_grad->dims());
    funcs::ConvFilterGradByMatMul<T>(dev_ctx, images, grad, params, &result);
    if (!filter_grad->is_contiguous()) primitive::Copy(dev_ctx, result, filter_grad);
  }
  if (input_grad) {
    dev_ctx.template Alloc<T>(input_grad);
    if (input_grad->numel() == 0) return;
    DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *input_grad, params.channels_last);
    funcs::ConvInputGradByMatMul<T>(dev_ctx, funcs::InOrder(dev_ctx, filter), grad, params, &result);
    funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, input_grad);
  }
}

}  // namespace phi
