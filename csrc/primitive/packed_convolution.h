// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "primitive/convolution.h"

namespace phi::primitive {

// A filter in the order in which a device's library computes with it, once for many images: what it is only the library
// knows. It fits images of any size, best those of `images`.
struct PackFilter {
  static constexpr const char* kName = "pack_filter";
  using Key = std::tuple<DataType>;
  using Fn = std::shared_ptr<void> (*)(const DeviceContext& dev_ctx,
                                       const DenseTensor& filter,
                                       const ConvParams& params,
                                       const DDim& images);
};

// What is done to each pixel before it is written; null is left out.
struct PixelSteps {
  const DenseTensor* bias = nullptr;
  const DenseTensor* residual = nullptr;
  std::string activation;  // as the argument of fused_conv2d_add_act; with a residual "identity" or "relu"
  float alpha = 0;
};

// activation(convolution + bias + residual) with a packed filter and paddings that are the same on both sides. `out`
// has its meta, with the channels last in memory, and gets memory. Registered in csrc/torch/ where torch has it.
struct PackedConvolution {
  static constexpr const char* kName = "packed_convolution";
  using Key = std::tuple<DataType>;
  using Fn = void (*)(const DeviceContext& dev_ctx,
                      const DenseTensor& images,
                      const void* filter,
                      const ConvParams& params,
                      const PixelSteps& steps,
                      DenseTensor* out);
};

// The same with fewer multiplications and other roundings, for filters of 3x3 in one group, strides and dilations of 1.
struct WinogradFilter {
  static constexpr const char* kName = "winograd_filter";
  using Key = PackFilter::Key;
  using Fn = PackFilter::Fn;
};

struct WinogradConvolution {
  static constexpr const char* kName = "winograd_convolution";
  using Key = PackedConvolution::Key;
  using Fn = PackedConvolution::Fn;
};

}  // namespace phi::primitive
