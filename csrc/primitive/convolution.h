// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/primitive_factory.h"

namespace phi::primitive {

// What a convolution over two or three spatial dimensions needs. The filter is [out_channels, in_channels / groups, h,
// w]; that of a transposed convolution, which computes what the gradient of a convolution's input is, the other way
// round.
struct ConvParams {
  std::vector<int64_t> strides;
  std::vector<int64_t> paddings;  // before and after each spatial dimension: top, bottom, left, right
  std::vector<int64_t> dilations;
  int64_t groups = 1;
  bool transposed = false;
  std::vector<int64_t> output_padding;  // of a transposed one: rows and columns more than it needs
  bool channels_last = false;  // input and output are [batch, h, w, channels], otherwise [batch, channels, h, w]
};

// The convolution (cross-correlation) of a device's library, which is the one that torch carries and chooses: oneDNN or
// cuDNN where they can. `out` has its meta. Registered in csrc/torch/.
struct Convolution {
  static constexpr const char* kName = "convolution";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& input,
                      const DenseTensor& filter,
                      const ConvParams& params,
                      DenseTensor* out);
};

// Its gradients; a null output is not computed.
struct ConvolutionGrad {
  static constexpr const char* kName = "convolution_grad";
  using Key = Convolution::Key;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& input,
                      const DenseTensor& filter,
                      const DenseTensor& out_grad,
                      const ConvParams& params,
                      DenseTensor* input_grad,
                      DenseTensor* filter_grad);
};

}  // namespace phi::primitive
