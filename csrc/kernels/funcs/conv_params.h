// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "common/ceil_div.h"
#include "primitive/convolution.h"

namespace phi::funcs {

// Of a convolution over as many axes as the filter has, the attributes, which InferMeta has checked, with the paddings
// that padding_algorithm means. As in Paddle, SAME sets the dilations to 1.
inline primitive::ConvParams PaddedConvParams(const DDim& input,
                                              const DDim& filter,
                                              const std::vector<int>& strides,
                                              const std::vector<int>& paddings,
                                              const std::string& padding_algorithm,
                                              const std::vector<int>& dilations,
                                              int groups,
                                              const std::string& data_format) {
  primitive::ConvParams params;
  params.strides.assign(strides.begin(), strides.end());
  params.dilations.assign(dilations.begin(), dilations.end());
  params.groups = groups;
  params.channels_last = data_format.ends_with('C');
  const int spatial = filter.size() - 2;
  params.output_padding.assign(spatial, 0);
  const bool one_sided = static_cast<int>(paddings.size()) == spatial;
  for (int i = 0; i < spatial; ++i) {
    int64_t before = 0;
    int64_t after = 0;
    if (padding_algorithm == "SAME") {
      const int64_t size = input[params.channels_last ? 1 + i : 2 + i];
      const int64_t windows = CeilDiv(size, strides[i]);
      const int64_t sum = std::max<int64_t>((windows - 1) * strides[i] + filter[2 + i] - size, 0);
      before = sum / 2;
      after = sum - before;
      params.dilations[i] = 1;
    } else if (padding_algorithm == "EXPLICIT") {
      before = paddings[one_sided ? i : 2 * i];
      after = paddings[one_sided ? i : 2 * i + 1];
    }
    params.paddings.insert(params.paddings.end(), {before, after});
  }
  return params;
}

inline primitive::ConvParams MakeConvParams(const DDim& input,
                                            const DDim& filter,
                                            const std::vector<int>& strides,
                                            const std::vector<int>& paddings,
                                            const std::string& padding_algorithm,
                                            const std::vector<int>& dilations,
                                            int groups,
                                            const std::string& data_format) {
  primitive::ConvParams params =
      PaddedConvParams(input, filter, strides, paddings, padding_algorithm, dilations, groups, data_format);
  for (int i = 0; i < filter.size() - 2; ++i) {
    const int64_t size =
        input[params.channels_last ? 1 + i : 2 + i] + params.paddings[2 * i] + params.paddings[2 * i + 1];
    const int64_t reach = params.dilations[i] * (filter[2 + i] - 1) + 1;
    // a longer stride means the same, and libraries divide by what overflows
    params.strides[i] = std::min(params.strides[i], std::max<int64_t>(size - reach, 0) + 1);
  }
  return params;
}

// The same for a transposed convolution; the shape of its output says how much output_padding there is.
inline primitive::ConvParams MakeConvTransposeParams(const DDim& x,
                                                     const DDim& filter,
                                                     const DDim& out,
                                                     const std::vector<int>& strides,
                                                     const std::vector<int>& paddings,
                                                     const std::string& padding_algorithm,
                                                     int groups,
                                                     const std::vector<int>& dilations,
                                                     const std::string& data_format) {
  primitive::ConvParams params =
      PaddedConvParams(x, filter, strides, paddings, padding_algorithm, dilations, groups, data_format);
  params.transposed = true;
  for (int i = 0; i < filter.size() - 2; ++i) {
    const int axis = params.channels_last ? 1 + i : 2 + i;
    const int64_t full = (x[axis] - 1) * params.strides[i] + params.dilations[i] * (filter[2 + i] - 1) + 1;
    params.output_padding[i] = out[axis] - (full - params.paddings[2 * i] - params.paddings[2 * i + 1]);
  }
  return params;
}

}  // namespace phi::funcs
