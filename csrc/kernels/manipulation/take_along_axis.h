// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/along_axis.h"
#include "primitive/scatter.h"

namespace phi {

// The elements of arr at `indices` along `axis`.
template <typename T, typename Context>
void TakeAlongAxisKernel(
    const Context& dev_ctx, const DenseTensor& arr, const DenseTensor& indices, int axis, DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  primitive::WithIds(indices, [&](const auto* ids) {
    funcs::TakeAlongAxis<funcs::IndexKind::kIndices>(dev_ctx, arr, ids, indices.dims(), axis, result);
  });
}

namespace detail {

// Each element is the sum of out_grad where it was taken. Of arr only the shape is read.
template <typename T, funcs::IndexKind kKind, typename Context>
void SumTaken(const Context& dev_ctx,
              const DenseTensor& arr,
              const DenseTensor& indices,
              const DenseTensor& out_grad,
              int axis,
              DenseTensor* arr_grad) {
  dev_ctx.template Alloc<T>(arr_grad);
  const primitive::LookupTable table{"indices", 1, arr.numel(), 1};
  const DenseTensor places = funcs::PlacesAlongAxis<kKind>(dev_ctx, indices, arr.dims(), axis);
  GetPrimitive<primitive::ScatterSum>(dev_ctx, out_grad.dtype())(dev_ctx, table, places, out_grad, arr_grad);
}

}  // namespace detail

template <typename T, typename Context>
void TakeAlongAxisGradKernel(const Context& dev_ctx,
                             const DenseTensor& arr,
                             const DenseTensor& indices,
                             const DenseTensor& out_grad,
                             int axis,
                             DenseTensor* arr_grad) {
  detail::SumTaken<T, funcs::IndexKind::kIndices>(dev_ctx, arr, indices, out_grad, axis, arr_grad);
}

}  // namespace phi
