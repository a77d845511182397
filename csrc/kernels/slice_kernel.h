// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/int_array.h"
#include "core/dense_tensor.h"

namespace phi {

// A copy of the part of input from `starts` to `ends` along `axes`, without the axes `decrease_axis`, of size 1.
template <typename T, typename Context>
void SliceKernel(const Context& dev_ctx,
                 const DenseTensor& input,
                 const std::vector<int64_t>& axes,
                 const IntArray& starts,
                 const IntArray& ends,
                 const std::vector<int64_t>& infer_flags,
                 const std::vector<int64_t>& decrease_axis,
                 DenseTensor* out);

// out_grad in a tensor of the shape of input that is zero elsewhere.
template <typename T, typename Context>
void SliceGradKernel(const Context& dev_ctx,
                     const DenseTensor& input,
                     const DenseTensor& out_grad,
                     const std::vector<int64_t>& axes,
                     const IntArray& starts,
                     const IntArray& ends,
                     const std::vector<int64_t>& infer_flags,
                     const std::vector<int64_t>& decrease_axis,
                     DenseTensor* input_grad);

}  // namespace phi
