// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "infermeta/parts.h"
#include "kernels/manipulation/strided_slice.h"
#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

// What is assigned to a part of a tensor, and back.
namespace phi::funcs {

// Puts `values`, which broadcast to the part as it is seen, into a tensor.
template <typename T, typename Context>
void AssignPart(const Context& dev_ctx, const AssignedPart<int64_t>& at, const DenseTensor& values, DenseTensor* out) {
  if (product(at.dims) == 0) return;
  const int rank = out->dims().size();
  const int more = values.dims().size() - at.dims.size();
  StridedElements<const T> from{values.data<T>(), DDim(rank, 0)};
  const DDim strides = contiguous_strides(values.dims());
  for (int i = 0; i < at.dims.size(); ++i) {
    const int own = i + more;
    if (at.axes[i] >= 0 && own >= 0 && values.dims()[own] != 1) from.strides[at.axes[i]] = strides[own];
  }
  StridedCopy<T>(dev_ctx, at.part.sizes, from, phi::detail::ElementsOfPart(out->data<T>(), out->strides(), at.part));
}

// The part of x, as it is seen.
template <typename T, typename Context>
DenseTensor TakePart(const Context& dev_ctx, const AssignedPart<int64_t>& at, const DenseTensor& x) {
  DenseTensor part = primitive::EmptyTensor<T>(dev_ctx, at.dims);
  if (part.numel() > 0) {
    StridedCopy<T>(dev_ctx,
                   at.part.sizes,
                   phi::detail::ElementsOfPart(x.data<T>(), x.strides(), at.part),
                   {part.data<T>(), contiguous_strides(at.part.sizes)});
  }
  return part;
}

// x without the part.
template <typename T, typename Context>
void ClearPart(const Context& dev_ctx, const SteppedPart<int64_t>& part, const DenseTensor& x, DenseTensor* out) {
  primitive::Copy(dev_ctx, x, out);
  if (product(part.sizes) == 0) return;
  DenseTensor zero = primitive::EmptyTensor<T>(dev_ctx, {1});
  primitive::SetZero(dev_ctx, &zero);
  StridedCopy<T>(dev_ctx,
                 part.sizes,
                 {zero.data<T>(), DDim(part.sizes.size(), 0)},
                 phi::detail::ElementsOfPart(out->data<T>(), out->strides(), part));
}

}  // namespace phi::funcs
