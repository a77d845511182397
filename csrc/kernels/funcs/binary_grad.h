// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "primitive/elementwise.h"

namespace phi::funcs {

// grad = functor(inputs...) summed over the dimensions in which `input` was broadcast to the shape `whole` of
// the output, where it begins at `axis`. Nothing if `grad` is null.
template <typename T, typename Context, typename Functor, typename... Tensors>
void BinaryGrad(const Context& dev_ctx,
                const DenseTensor& input,
                const DDim& whole,
                int axis,
                DenseTensor* grad,
                const Functor& functor,
                const Tensors&... inputs) {
  using Compute = primitive::ComputeType<T>;
  if (grad == nullptr) return;
  if (input.dims() == whole) return primitive::Map<T>(dev_ctx, grad, functor, inputs...);
  DenseTensor values;
  values.Resize(whole);
  primitive::Elementwise<Compute, std::conditional_t<true, T, Tensors>...>(dev_ctx, &values, functor, inputs...);
  SumBroadcast<Compute, T>(dev_ctx, values, AlignAtAxis(input, whole.size(), axis).dims(), grad);
}

}  // namespace phi::funcs
