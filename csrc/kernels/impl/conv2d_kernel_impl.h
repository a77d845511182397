// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv2d_kernel.h"
#include "kernels/funcs/conv_params.h"
#include "kernels/funcs/im2col_matmul.h"

// Convolution by matrix multiplication: a kernel that needs no library for convolution.
namespace phi {

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
  const funcs::ConvParams params = funcs::MakeConvParams(
      input.dims(), filter.dims(), strides, paddings, padding_algorithm, dilations, groups, data_format);
  dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const DenseTensor images = funcs::ToChannelsFirst<T>(dev_ctx, input, params.channels_last);
  DenseTensor result = funcs::ChannelsFirstResult<T>(dev_ctx, *out, params.channels_last);
  funcs::ConvByMatMul<T>(dev_ctx, images, filter, params, &result);
  funcs::FromChannelsFirst(dev_ctx, result, params.channels_last, out);
}

}  // namespace phi
