// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/concat_and_split.h"
#include "kernels/reshape_kernel.h"

namespace phi {

namespace detail {

template <typename T, typename Context>
void CopyElements(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {
  char* to = reinterpret_cast<char*>(dev_ctx.template Alloc<T>(out));
  if (out->IsSharedBufferWith(x)) return;
  funcs::RowParts parts(1);
  parts.Add(funcs::MakeRowPart(x, x.data<T>(), 0));
  funcs::CopyRows(dev_ctx, 1, parts, to, funcs::CopyDirection::kPartsToWhole);
}

}  // namespace detail

template <typename T, typename Context>
void ReshapeKernel(const Context& dev_ctx, const DenseTensor& x, const IntArray& shape, DenseTensor* out) {
  detail::CopyElements<T>(dev_ctx, x, out);
}

template <typename T, typename Context>
void ReshapeGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& out_grad, DenseTensor* x_grad) {
  detail::CopyElements<T>(dev_ctx, out_grad, x_grad);
}

}  // namespace phi
