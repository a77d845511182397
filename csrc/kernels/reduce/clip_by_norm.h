// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/reduce/squared_l2_norm.h"

namespace phi {

template <typename C>
struct ClipByNormFunctor {
  C max_norm;
  template <typename V>
  HOSTDEVICE V operator()(V x, V norm) const {
    return math::Select(norm > V(max_norm), x * (V(max_norm) / norm), x);
  }
};

template <typename T, typename Context>
void ClipByNormKernel(const Context& dev_ctx, const DenseTensor& x, float max_norm, DenseTensor* out) {
  using C = primitive::ComputeType<T>;
  DenseTensor norm;
  norm.Resize({});
  primitive::Reduce<T, C, primitive::NormOp>(dev_ctx, x, primitive::AxisSet(), &norm, SquareOf());
  primitive::Elementwise<T, T, C>(dev_ctx, out, ClipByNormFunctor<C>{C(max_norm)}, x, norm);
}

}  // namespace phi
