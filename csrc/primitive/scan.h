// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include "primitive/gpu/scan.cuh"
#else
#include "primitive/cpu/scan.h"
#endif

namespace phi::primitive {

// out = the cumulative sums of the contiguous x along the axis; out (allocated here) has as many elements, and may be
// x.
//
//   CumulativeSum<T>(dev_ctx, x, funcs::AxisShape(x.dims(), axis), {.exclusive = true}, out);
//
// Half types are summed in float, on the CPU float in double; integers wrap. Results do not depend on the number of
// threads.
template <typename T, typename Context>
void CumulativeSum(const Context& dev_ctx,
                   const DenseTensor& x,
                   const funcs::AxisShape& shape,
                   const ScanOptions& options,
                   DenseTensor* out) {
  T* result = dev_ctx.template Alloc<T>(out);
  if (out->numel() > 0) detail::ScanAxis(dev_ctx, shape, options, x.data<T>(), result);
}

}  // namespace phi::primitive
