// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/device_context.h"

// Convolution by the libraries that torch carries (oneDNN, cuDNN). Implemented in csrc/torch/, for every device; all
// tensors live on the context's device. `out` has its meta.
namespace phi::funcs {

// What a convolution over two spatial dimensions needs. The filter is [out_channels, in_channels / groups, h, w]; that
// of a transposed convolution, which computes what the gradient of a convolution's input is, the other way round.
struct ConvParams {
  std::vector<int64_t> strides;
  std::vector<int64_t> paddings;  // before and after each spatial dimension: top, bottom, left, right
  std::vector<int64_t> dilations;
  int64_t groups = 1;
  bool transposed = false;
  std::vector<int64_t> output_padding = {0, 0};  // of a transposed one: rows and columns more than it needs
  bool channels_last = false;  // input and output are [batch, h, w, channels], otherwise [batch, channels, h, w]
};

// The convolution (cross-correlation) of oneDNN or cuDNN.
void Convolution(const DeviceContext& ctx,
                 const DenseTensor& input,
                 const DenseTensor& filter,
                 const ConvParams& params,
                 DenseTensor* out);
// Its gradients; a null output is not computed.
void ConvolutionGrad(const DeviceContext& ctx,
                     const DenseTensor& input,
                     const DenseTensor& filter,
                     const DenseTensor& out_grad,
                     const ConvParams& params,
                     DenseTensor* input_grad,
                     DenseTensor* filter_grad);

}  // namespace phi::funcs
