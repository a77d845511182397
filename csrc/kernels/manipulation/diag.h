// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/fill.h"
#include "primitive/for_each.h"
#include "primitive/memset.h"

namespace phi {

namespace detail {

// The diagonal `offset` of a matrix: where it begins, and what lies between its elements.
struct Diagonal {
  int64_t first;
  int64_t step;
  Diagonal(int64_t columns, int64_t offset) : first(offset < 0 ? -offset * columns : offset), step(columns + 1) {}
};

}  // namespace detail

// A matrix with the vector x on a diagonal and `padding_value` elsewhere; of a matrix the diagonal.
template <typename T, typename Context>
void DiagKernel(const Context& dev_ctx, const DenseTensor& x, int offset, float padding_value, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  const T* data = x.data<T>();
  if (x.dims().size() < 2) {
    const detail::Diagonal at(out->dims()[1], offset);
    if (out->numel() > 0) primitive::FillWith(dev_ctx, padding_value, out);
    primitive::ForEach(dev_ctx, x.numel(), [=] HOSTDEVICE(int64_t i) { result[at.first + i * at.step] = data[i]; });
  } else {
    const detail::Diagonal at(x.dims()[1], offset);
    primitive::ForEach(dev_ctx, out->numel(), [=] HOSTDEVICE(int64_t i) { result[i] = data[at.first + i * at.step]; });
  }
}

// Of x only the shape is read.
template <typename T, typename Context>
void DiagGradKernel(
    const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, int offset, DenseTensor* x_grad) {
  T* result = dev_ctx.template Alloc<T>(x_grad);
  const T* data = out_grad.data<T>();
  if (x.dims().size() < 2) {
    const detail::Diagonal at(out_grad.dims()[1], offset);
    primitive::ForEach(dev_ctx, x.numel(), [=] HOSTDEVICE(int64_t i) { result[i] = data[at.first + i * at.step]; });
  } else {
    const detail::Diagonal at(x.dims()[1], offset);
    primitive::SetZero(dev_ctx, x_grad);
    primitive::ForEach(
        dev_ctx, out_grad.numel(), [=] HOSTDEVICE(int64_t i) { result[at.first + i * at.step] = data[i]; });
  }
}

}  // namespace phi
