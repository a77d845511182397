// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "primitive/copy_nd.h"
#include "primitive/loop/tensor_view.h"

namespace phi {

namespace detail {

// Copies the parts of x to where they come, axis by axis: the last shifts[d] places of an axis go to its front.
inline void CopyRolled(
    const DeviceContext& dev_ctx, const DDim& shifts, int axis, const DenseTensor& x, const DenseTensor& out) {
  while (axis < shifts.size() && shifts[axis] == 0) ++axis;
  if (axis == shifts.size()) {
    DenseTensor target = out;
    return primitive::Copy(dev_ctx, x, &target);
  }
  const int64_t size = x.dims()[axis];
  const int64_t shift = shifts[axis];
  const auto move = [&](int64_t from, int64_t to, int64_t count) {
    DDim dims = x.dims();
    dims[axis] = count;
    CopyRolled(dev_ctx,
               shifts,
               axis + 1,
               primitive::ViewOf(x, dims, x.strides(), from * x.strides()[axis]),
               primitive::ViewOf(out, dims, out.strides(), to * out.strides()[axis]));
  };
  move(0, shift, size - shift);
  move(size - shift, 0, shift);
}

// `sign` is -1 for the way back.
inline void Roll(const DeviceContext& dev_ctx,
                 const DenseTensor& x,
                 const IntArray& shifts,
                 const std::vector<int64_t>& axis,
                 int sign,
                 DenseTensor* out) {
  if (x.numel() == 0) return;
  const bool flat = axis.empty();
  const DDim dims = flat ? DDim{x.numel()} : x.dims();
  DDim moved(dims.size(), 0);
  for (size_t i = 0; i < shifts.size(); ++i) {
    const int d = flat ? 0 : static_cast<int>(axis[i] < 0 ? axis[i] + dims.size() : axis[i]);
    const int64_t shift = (shifts[i] % dims[d] + dims[d]) * sign;
    moved[d] = ((moved[d] + shift) % dims[d] + dims[d]) % dims[d];
  }
  CopyRolled(dev_ctx, moved, 0, primitive::ViewOf(x, dims), primitive::ViewOf(*out, dims));
}

}  // namespace detail

// The elements of x moved by `shifts` along `axis`, those beyond the end to the front; all as one row without `axis`.
template <typename T, typename Context>
void RollKernel(const Context& dev_ctx,
                const DenseTensor& x,
                const IntArray& shifts,
                const std::vector<int64_t>& axis,
                DenseTensor* out) {
  dev_ctx.template Alloc<T>(out);
  detail::Roll(dev_ctx, x, shifts, axis, 1, out);
}

// Of x only the shape is read.
template <typename T, typename Context>
void RollGradKernel(const Context& dev_ctx,
                    const DenseTensor&,
                    const DenseTensor& out_grad,
                    const IntArray& shifts,
                    const std::vector<int64_t>& axis,
                    DenseTensor* x_grad) {
  dev_ctx.template Alloc<T>(x_grad);
  detail::Roll(dev_ctx, out_grad, shifts, axis, -1, x_grad);
}

}  // namespace phi
