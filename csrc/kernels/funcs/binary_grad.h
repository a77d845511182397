// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/broadcast_grad.h"
#include "primitive/elementwise.h"

// The gradient of an input of a binary op, which broadcast to the shape of `out_grad`. Inputs with fewer dimensions
// begin at `axis`. Nothing is computed if `grad` is null.
namespace phi::funcs {

// grad = out_grad summed over the dimensions in which `input` was broadcast.
inline void SumToInput(
    const DeviceContext& dev_ctx, const DenseTensor& out_grad, int axis, const DenseTensor& input, DenseTensor* grad) {
  if (grad == nullptr) return;
  if (input.dims() == out_grad.dims()) return primitive::Copy(dev_ctx, out_grad, grad);
  const DDim aligned = AlignAtAxis(input, out_grad.dims().size(), axis).dims();
  SumBroadcast(dev_ctx, out_grad, aligned, out_grad.dtype(), grad);
}

// grad = functor(inputs...), summed in the same way; one of the inputs is `out_grad`.
template <typename T, typename Context, typename Functor, typename... Tensors>
void BinaryGrad(const Context& dev_ctx,
                const DenseTensor& out_grad,
                int axis,
                const DenseTensor& input,
                DenseTensor* grad,
                const Functor& functor,
                const Tensors&... inputs) {
  using Compute = primitive::ComputeType<T>;
  if (grad == nullptr) return;
  const DDim& whole = out_grad.dims();
  if (input.dims() == whole) {
    return primitive::Map<T>(dev_ctx, grad, functor, AlignAtAxis(inputs, whole.size(), axis)...);
  }
  if constexpr (sizeof...(Tensors) == 1) {  // linear, so of the sum
    SumToInput(dev_ctx, out_grad, axis, input, grad);
    primitive::Map<T>(dev_ctx, grad, functor, *grad);
  } else {
    DenseTensor values;
    values.Resize(whole);
    primitive::Elementwise<Compute, std::conditional_t<true, T, Tensors>...>(
        dev_ctx, &values, functor, AlignAtAxis(inputs, whole.size(), axis)...);
    const DDim aligned = AlignAtAxis(input, whole.size(), axis).dims();
    SumBroadcast(dev_ctx, values, aligned, out_grad.dtype(), grad);
  }
}

}  // namespace phi::funcs
