// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/parts.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"
#include "primitive/memset.h"

namespace phi {

namespace detail {

// The part of a tensor that is sliced, with all its dimensions, as a view of its memory.
inline DenseTensor ViewOfPart(const DenseTensor& tensor, const SlicedPart<int64_t>& part) {
  int64_t offset = 0;
  for (int i = 0; i < part.starts.size(); ++i) offset += part.starts[i] * tensor.strides()[i];
  return primitive::ViewOf(tensor, part.sizes, tensor.strides(), offset);
}

}  // namespace detail

// A copy of the part of input from `starts` to `ends` along `axes`, without the axes `decrease_axis`, of size 1.
template <typename T, typename Context>
void SliceKernel(const Context& dev_ctx,
                 const DenseTensor& input,
                 const std::vector<int64_t>& axes,
                 const IntArray& starts,
                 const IntArray& ends,
                 const std::vector<int64_t>&,
                 const std::vector<int64_t>& decrease_axis,
                 DenseTensor* out) {
  const auto part = MakeSlicedPart(input.dims(), axes, starts, ends, decrease_axis);
  dev_ctx.template Alloc<T>(out);
  DenseTensor whole = primitive::ViewOf(*out, part.sizes);
  primitive::Copy(dev_ctx, detail::ViewOfPart(input, part), &whole);
}

// out_grad in a tensor of the shape of input that is zero elsewhere.
template <typename T, typename Context>
void SliceGradKernel(const Context& dev_ctx,
                     const DenseTensor& input,
                     const DenseTensor& out_grad,
                     const std::vector<int64_t>& axes,
                     const IntArray& starts,
                     const IntArray& ends,
                     const std::vector<int64_t>&,
                     const std::vector<int64_t>& decrease_axis,
                     DenseTensor* input_grad) {
  const auto part = MakeSlicedPart(input.dims(), axes, starts, ends, decrease_axis);
  dev_ctx.template Alloc<T>(input_grad);
  primitive::SetZero(dev_ctx, input_grad);
  DenseTensor target = detail::ViewOfPart(*input_grad, part);
  primitive::Copy(dev_ctx, primitive::ViewOf(out_grad, part.sizes), &target);
}

}  // namespace phi
