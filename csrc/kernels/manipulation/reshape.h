// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/memcpy.h"

namespace phi {

namespace detail {

template <typename T, typename Context>
void CopyElements(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  T* to = dev_ctx.template Alloc<T>(out);
  const size_t bytes = static_cast<size_t>(x.numel()) * sizeof(T);
  if (bytes == 0 || out->IsSharedBufferWith(x)) return;
  GetPrimitive<primitive::Memcpy>(dev_ctx, primitive::MemcpyKind::kDeviceToDevice)(dev_ctx, to, x.data(), bytes);
}

}  // namespace detail

// A copy of x with the shape of out.
template <typename T, typename Context>
void ReshapeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& shape, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

// A copy of out_grad with the shape of x.
template <typename T, typename Context>
void ReshapeGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
