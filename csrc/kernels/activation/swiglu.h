// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/activation/silu.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

struct SwigluFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y) const {
    return SiluFunctor()(x) * y;
  }
};

struct SwigluXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V y, V dout) const {
    return SiluGradFunctor()(x, dout * y);
  }
};

// One half of the last dimension of `tensor`, which has memory.
inline DenseTensor HalfOf(const DenseTensor& tensor, bool second) {
  const int last = tensor.dims().size() - 1;
  DDim dims = tensor.dims();
  dims[last] /= 2;
  return primitive::ViewOf(tensor, dims, tensor.strides(), second ? dims[last] * tensor.strides()[last] : 0);
}

template <typename T, typename Context>
void SwigluKernel(const Context& dev_ctx,
                  const DenseTensor& x,
                  const paddle::optional<DenseTensor>& y,
                  DenseTensor* out) {
  primitive::Map<T>(dev_ctx, out, SwigluFunctor(), y ? x : HalfOf(x, false), y ? *y : HalfOf(x, true));
}

template <typename T, typename Context>
void SwigluGradKernel(const Context& dev_ctx,
                      const DenseTensor& x,
                      const paddle::optional<DenseTensor>& y,
                      const DenseTensor& out_grad,
                      DenseTensor* x_grad,
                      DenseTensor* y_grad) {
  const auto compute = [&](const DenseTensor& a, const DenseTensor& b, DenseTensor* a_grad, DenseTensor* b_grad) {
    if (a_grad != nullptr) primitive::Map<T>(dev_ctx, a_grad, SwigluXGradFunctor(), a, b, out_grad);
    if (b_grad != nullptr) primitive::Map<T>(dev_ctx, b_grad, SwigluFunctor(), a, out_grad);
  };
  if (y) return compute(x, *y, x_grad, y_grad);
  if (x_grad == nullptr) return;
  dev_ctx.template Alloc<T>(x_grad);
  DenseTensor first = HalfOf(*x_grad, false);
  DenseTensor second = HalfOf(*x_grad, true);
  compute(HalfOf(x, false), HalfOf(x, true), &first, &second);
}

}  // namespace phi
