// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/along_axis.h"
#include "primitive/scatter.h"
#ifndef PHI_DEVICE_CODE
#include <vector>

#include "primitive/convert.h"
#endif

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

#ifndef PHI_DEVICE_CODE
// The same of rows along the last axis, of which each was taken from the one with its number.
template <typename T, funcs::IndexKind kKind, typename Id>
void SumTakenOfRows(const T* out_grad, const Id* ids, int64_t rows, int64_t taken, int64_t size, T* sums) {
  using Compute = primitive::ComputeType<T>;
  ParallelFor(rows, primitive::RowGrain(taken + size), [&](int64_t begin, int64_t end) {
    std::vector<Compute> wide(std::is_same_v<T, Compute> ? 0 : size);  // sums of half types are float
    for (int64_t row = begin; row < end; ++row) {
      const Id* const at = ids + row * taken;
      const T* const grad = out_grad + row * taken;
      Compute* sum = wide.data();
      if constexpr (std::is_same_v<T, Compute>) sum = sums + row * size;
      std::fill_n(sum, size, Compute(0));
      for (int64_t i = 0; i < taken; ++i) {
        sum[funcs::CheckedIndex<kKind>(at[i], size)] += primitive::ToCompute(grad[i]);
      }
      if constexpr (!std::is_same_v<T, Compute>) {
        primitive::VecMap(size, sums + row * size, [](const primitive::Vec<T>& v) { return v; }, sum);
      }
    }
  });
}
#endif

// Each element is the sum of out_grad where it was taken. Of arr only the shape is read.
template <typename T, funcs::IndexKind kKind, typename Context>
void SumTaken(const Context& dev_ctx,
              const DenseTensor& arr,
              const DenseTensor& indices,
              const DenseTensor& out_grad,
              int axis,
              DenseTensor* arr_grad) {
  [[maybe_unused]] T* const sums = dev_ctx.template Alloc<T>(arr_grad);
#ifndef PHI_DEVICE_CODE
  const int last = arr.dims().size() - 1;
  if (last >= 0 && (axis == last || axis == -1) && arr.numel() > 0 &&
      slice_ddim(indices.dims(), 0, last) == slice_ddim(arr.dims(), 0, last)) {
    const int64_t size = arr.dims()[last];
    return primitive::WithIds(indices, [&](const auto* ids) {
      const int64_t taken = indices.dims()[last];
      SumTakenOfRows<T, kKind>(out_grad.data<T>(), ids, arr.numel() / size, taken, size, sums);
    });
  }
#endif
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
