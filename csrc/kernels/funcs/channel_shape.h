// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/ddim.h"

namespace phi::funcs {

// A tensor of images seen from its channels: [outer, channels, inner]; inner is 1 when they are the last dimension.
struct ChannelShape {
  int64_t outer = 1;
  int64_t channels = 1;
  int64_t inner = 1;

  ChannelShape(const DDim& dims, const std::string& data_format) {
    const int axis = data_format == "NHWC" || data_format == "NDHWC" ? dims.size() - 1 : 1;
    outer = product(slice_ddim(dims, 0, axis));
    channels = dims[axis];
    inner = product(slice_ddim(dims, axis + 1, dims.size()));
  }
  // elements per channel
  int64_t count() const { return outer * inner; }
};

}  // namespace phi::funcs
