// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/parts.h"
#include "kernels/funcs/strided_copy.h"
#include "primitive/memset.h"

namespace phi {

namespace detail {

// The elements of a tensor that a part of it has.
template <typename T>
funcs::StridedElements<T> ElementsOfPart(T* data, const DDim& strides, const SteppedPart<int64_t>& part) {
  funcs::StridedElements<T> elements{data, strides};
  for (int d = 0; d < strides.size(); ++d) {
    elements.first += part.starts[d] * strides[d];
    // what follows the only one may be anywhere
    elements.strides[d] = part.sizes[d] > 1 ? strides[d] * part.steps[d] : 0;
  }
  return elements;
}

}  // namespace detail

// The elements of x from `starts` to `ends` along `axes`, `strides` apart, which may be negative.
template <typename T, typename Context>
void StridedSliceKernel(const Context& dev_ctx,
                        const DenseTensor& x,
                        const std::vector<int>& axes,
                        const IntArray& starts,
                        const IntArray& ends,
                        const IntArray& strides,
                        DenseTensor* out) {
  const auto part = MakeSteppedPart(x.dims(), axes, starts, ends, strides, "strides");
  T* result = dev_ctx.template Alloc<T>(out);
  if (out->numel() == 0) return;
  const auto from = detail::ElementsOfPart(x.data<T>(), x.strides(), part);
  funcs::StridedCopy<T>(dev_ctx, part.sizes, from, {result, out->strides()});
}

// out_grad where it was taken from in a tensor of the shape of x that is zero elsewhere.
template <typename T, typename Context>
void StridedSliceGradKernel(const Context& dev_ctx,
                            const DenseTensor& x,
                            const DenseTensor& out_grad,
                            const std::vector<int>& axes,
                            const IntArray& starts,
                            const IntArray& ends,
                            const IntArray& strides,
                            DenseTensor* x_grad) {
  const auto part = MakeSteppedPart(x.dims(), axes, starts, ends, strides, "strides");
  T* result = dev_ctx.template Alloc<T>(x_grad);
  primitive::SetZero(dev_ctx, x_grad);
  if (out_grad.numel() == 0) return;
  const auto to = detail::ElementsOfPart(result, x_grad->strides(), part);
  funcs::StridedCopy<T>(dev_ctx, part.sizes, {out_grad.data<T>(), out_grad.strides()}, to);
}

}  // namespace phi
