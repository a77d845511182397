// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/optional.h"
#include "core/dense_tensor.h"

namespace phi {

// Images of another size: each pixel is a mean of four of `x`, by their distances. The size of `output` is set here
// where a tensor says it.
template <typename T, typename Context>
void BilinearInterpKernel(const Context& dev_ctx,
                          const DenseTensor& x,
                          const paddle::optional<DenseTensor>& out_size,
                          const paddle::optional<std::vector<const DenseTensor*>>& size_tensor,
                          const paddle::optional<DenseTensor>& scale_tensor,
                          const std::string& data_format,
                          int out_d,
                          int out_h,
                          int out_w,
                          const std::vector<double>& scale,
                          const std::string& interp_method,
                          bool align_corners,
                          int align_mode,
                          DenseTensor* output);

}  // namespace phi
