// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kernels/fusion/fused_softmax_mask.h"
#include "primitive/for_each.h"

namespace phi {

// out = the softmax of each row of the matrices up to the diagonal, and 0 beyond.
template <typename T, typename Context>
void FusedSoftmaxMaskUpperTriangleKernel(const Context& dev_ctx, const DenseTensor& X, DenseTensor* Out) {
  using Compute = primitive::ComputeType<T>;
  const int64_t size = X.dims()[X.dims().size() - 1];
  const T* from = X.data<T>();
  funcs::SoftmaxOf<T>(dev_ctx, -1, Out, [&](DenseTensor* scores) {
    Compute* to = scores->data<Compute>();
    primitive::ForEachRun(dev_ctx, X.numel() / size, size, [=] HOSTDEVICE(int64_t row, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        to[row * size + i] =
            i <= row % size ? primitive::ToCompute(from[row * size + i]) : -std::numeric_limits<Compute>::infinity();
      }
    });
  });
}

template <typename T, typename Context>
void FusedSoftmaxMaskUpperTriangleGradKernel(const Context& dev_ctx,
                                             const DenseTensor& Out,
                                             const DenseTensor& Out_grad,
                                             DenseTensor* X_grad) {
  FusedSoftmaxMaskGradKernel<T>(dev_ctx, Out, Out_grad, X_grad);
}

}  // namespace phi
