// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kernels/funcs/binary_grad.h"

namespace phi {

struct PReluFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V alpha) const {
    return math::Select(x > V(0), x, x * alpha);
  }
};

struct PReluXGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V alpha, V dout) const {
    return math::Select(x > V(0), dout, dout * alpha);
  }
};

struct PReluAlphaGradFunctor {
  template <typename V>
  HOSTDEVICE V operator()(V x, V dout) const {
    return math::Select(x > V(0), V(0), x * dout);
  }
};

namespace funcs {

// `alpha`, or its gradient, with as many dimensions as x, to which it broadcasts.
inline DenseTensor PReluAligned(const DenseTensor& alpha,
                                const DenseTensor& x,
                                const std::string& data_format,
                                const std::string& mode) {
  const int rank = x.dims().size();
  DDim dims(rank, 1);
  if (mode == "channel") dims[data_format == "NCHW" ? 1 : rank - 1] = alpha.numel();
  for (int i = 1; i < rank && mode == "element"; ++i) dims[i] = x.dims()[i];
  return primitive::ViewOf(alpha, dims);
}

}  // namespace funcs

template <typename T, typename Context>
void PreluKernel(const Context& dev_ctx,
                 const DenseTensor& x,
                 const DenseTensor& alpha,
                 const std::string& data_format,
                 const std::string& mode,
                 DenseTensor* out) {
  primitive::Map<T>(dev_ctx, out, PReluFunctor(), x, funcs::PReluAligned(alpha, x, data_format, mode));
}

// A null gradient is not computed.
template <typename T, typename Context>
void PreluGradKernel(const Context& dev_ctx,
                     const DenseTensor& x,
                     const DenseTensor& alpha,
                     const DenseTensor& out_grad,
                     const std::string& data_format,
                     const std::string& mode,
                     DenseTensor* x_grad,
                     DenseTensor* alpha_grad) {
  const DenseTensor aligned = funcs::PReluAligned(alpha, x, data_format, mode);
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, x, x_grad, PReluXGradFunctor(), x, aligned, out_grad);
  if (alpha_grad == nullptr) return;
  dev_ctx.template Alloc<T>(alpha_grad);
  DenseTensor grad = primitive::ViewOf(*alpha_grad, aligned.dims());
  funcs::BinaryGrad<T>(dev_ctx, out_grad, -1, aligned, &grad, PReluAlphaGradFunctor(), x, out_grad);
}

}  // namespace phi
