// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "kernels/funcs/true_elements.h"

namespace phi {

namespace detail {

// The tensor, broadcast to the shape `dims`; `memory` has it where that is a copy.
template <typename T, typename Context>
const T* BroadcastData(const Context& dev_ctx, const DenseTensor& x, const DDim& dims, DenseTensor* memory) {
  if (x.dims() == dims) return x.data<T>();
  memory->Resize(dims);
  dev_ctx.template Alloc<T>(memory);
  primitive::Copy(dev_ctx, x, memory);
  return memory->data<T>();
}

// The shape that two tensors broadcast to, which InferMeta has checked.
inline DDim BroadcastShape(const DDim& x, const DDim& y) {
  DDim dims = x.size() > y.size() ? x : y;
  const DDim& other = x.size() > y.size() ? y : x;
  for (int i = 0; i < other.size(); ++i) {
    int64_t& size = dims[dims.size() - other.size() + i];
    size = size == 1 ? other[i] : size;
  }
  return dims;
}

}  // namespace detail

// The elements of x where `mask` is true, in order. Both broadcast.
template <typename T, typename Context>
void MaskedSelectKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& mask, DenseTensor* out) {
  const DDim dims = detail::BroadcastShape(x.dims(), mask.dims());
  DenseTensor wide_x;
  DenseTensor wide_mask;
  const T* from = detail::BroadcastData<T>(dev_ctx, x, dims, &wide_x);
  const bool* chosen = detail::BroadcastData<bool>(dev_ctx, mask, dims, &wide_mask);
  const auto found = funcs::TrueElements::Of(dev_ctx, chosen, product(dims));
  out->Resize({found.count()});
  T* result = dev_ctx.template Alloc<T>(out);
  found.Visit(dev_ctx, chosen, product(dims), [=] HOSTDEVICE(int64_t i, int64_t number, bool is_true) {
    if (is_true) result[number] = from[i];
  });
}

// out_grad where its elements were taken, else zero. Of x only the shape is read.
template <typename T, typename Context>
void MaskedSelectGradKernel(const Context& dev_ctx,
                            const DenseTensor& x,
                            const DenseTensor& mask,
                            const DenseTensor& out_grad,
                            DenseTensor* x_grad) {
  const DDim dims = detail::BroadcastShape(x.dims(), mask.dims());
  DenseTensor wide_mask;
  const bool* chosen = detail::BroadcastData<bool>(dev_ctx, mask, dims, &wide_mask);
  const auto found = funcs::TrueElements::Of(dev_ctx, chosen, product(dims));
  PADDLE_ENFORCE(found.count() == out_grad.numel(),
                 errors::InvalidArgument("argument 'out_grad': expected %d elements, as many as 'mask' has true ones, "
                                         "got %d",
                                         found.count(),
                                         out_grad.numel()));
  const T* grad = out_grad.data<T>();
  const bool whole = x.dims() == dims;
  DenseTensor wide = whole ? DenseTensor() : primitive::EmptyTensor<T>(dev_ctx, dims);
  T* result = whole ? dev_ctx.template Alloc<T>(x_grad) : wide.data<T>();
  found.Visit(dev_ctx, chosen, product(dims), [=] HOSTDEVICE(int64_t i, int64_t number, bool is_true) {
    result[i] = is_true ? grad[number] : T(0);
  });
  if (!whole) {
    const DDim aligned = funcs::AlignAtAxis(x, dims.size(), -1).dims();
    funcs::SumBroadcast(dev_ctx, wide, aligned, wide.dtype(), x_grad);
  }
}

}  // namespace phi
