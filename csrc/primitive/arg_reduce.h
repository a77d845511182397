// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/axis_shape.h"

#ifdef __CUDACC__
#include "primitive/gpu/arg_reduce.cuh"
#else
#include "primitive/cpu/arg_reduce.h"
#endif

namespace phi::primitive {

// Where the maximum or minimum along the axis of the contiguous x is: its index, of the type OutT, the first one of
// equal elements and of NaNs, which win.
//
//   ArgReduce<T, int64_t, MaxOp>(dev_ctx, x, funcs::AxisShape(x.dims(), axis), out);
//
// The axis is not empty, out has its shape from InferMeta and is allocated here. Op is MaxOp or MinOp.
template <typename T, typename OutT, template <typename> class Op, typename Context>
void ArgReduce(const Context& dev_ctx, const DenseTensor& x, const funcs::AxisShape& shape, DenseTensor* out) {
  OutT* result = dev_ctx.template Alloc<OutT>(out);
  if (out->numel() > 0) detail::ArgReduceAxis<Op<T>>(dev_ctx, shape, x.data<T>(), result);
}

}  // namespace phi::primitive
