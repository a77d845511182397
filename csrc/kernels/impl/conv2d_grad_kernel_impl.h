// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv2d_grad_kernel.h"
#include "kernels/funcs/conv_params.h"
#include "kernels/funcs/im2col_filter_grad.h"

// The gradients of a convolution by matrix multiplication.
namespace phi {

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
  const funcs::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  const DenseTensor grad = funcs::ToChannelsFirst<T>(dev_ctx, out_grad, params.channels_last);
  if (filter_grad) {
    dev_ctx.template Alloc<T>(filter_grad);
    const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, input, params.channels_last);
    funcs::ConvFilterGradByMatMul<T>(dev_ctx, images, grad, params, filter_grad);
  }
  if (input_grad) {
    dev_ctx.template Alloc<T>(input_grad);
    if (input_grad->numel() == 0) return;
    DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *input_grad, params.channels_last);
    funcs::ConvInputGradByMatMul<T>(dev_ctx, filter, grad, params, &result);
    funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, input_grad);
  }
}

}  // namespace phi
